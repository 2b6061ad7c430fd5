package dev.postern.app.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server as the file describes it.
 *
 * @param timeout how long a request may go without an answer or a progress notification
 */
public record ConfiguredServer(String name, Launch launch, Duration timeout) {
    /** How long a server may take where the file does not say. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

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
