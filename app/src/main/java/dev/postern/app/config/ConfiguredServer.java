package dev.postern.app.config;

import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.vault.ArgumentPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server as the file describes it.
 *
 * @param detect what becomes of secrets nobody told us about on their way to and from it (D6)
 * @param destinationArguments by tool, as the server names it: where its URLs and hosts stand (P9)
 * @param timeout how long a request may go without an answer or a progress notification
 */
public record ConfiguredServer(
        String name,
        Launch launch,
        Duration timeout,
        DetectionModes detect,
        Map<String, List<ArgumentPath>> destinationArguments) {
    public ConfiguredServer {
        destinationArguments = Map.copyOf(destinationArguments);
    }

    /** How long a server may take where the file does not say. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    /** Whether a running server need not be started anew to be this one. */
    public boolean runsAs(@Nullable ConfiguredServer other) {
        return other != null && launch.equals(other.launch) && timeout.equals(other.timeout);
    }

    /** How the server is reached. */
    public sealed interface Launch {}

    /** A child process, started in {@code directory}, or where the gateway runs. */
    public record Command(
            Setting command,
            List<Setting> arguments,
            Map<String, Setting> environment,
            @Nullable Path directory) implements Launch {}

    /** A URL that speaks Streamable HTTP. */
    public record Url(Setting url, Map<String, Setting> headers) implements Launch {}
}
