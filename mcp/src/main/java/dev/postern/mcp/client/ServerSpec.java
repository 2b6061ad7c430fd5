package dev.postern.mcp.client;

import dev.postern.secret.SecretValue;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A configured MCP server, ready to start: variables expanded, references resolved (R10). Values that came from the
 * vault are {@link SecretValue}s; a plain setting is wrapped just the same, so that one type travels.
 *
 * @param name the name in the configuration; prefixes the tools' names
 * @param timeout how long a request may go without an answer or a progress notification
 */
public record ServerSpec(String name, Transport transport, Duration timeout) {
    /** Wipes the values. Idempotent. */
    public void wipe() {
        switch (transport) {
            case Stdio stdio -> {
                stdio.command.close();
                stdio.arguments.forEach(SecretValue::close);
                stdio.environment.values().forEach(SecretValue::close);
            }
            case Http http -> http.headers.values().forEach(SecretValue::close);
            case InProcess inside -> {}
        }
    }

    /** How the server is reached. */
    public sealed interface Transport {}

    /**
     * A child process that speaks on its standard streams.
     *
     * @param environment added to a small inherited set (PATH, HOME, …), never the gateway's own secrets
     */
    public record Stdio(
            SecretValue command,
            List<SecretValue> arguments,
            Map<String, SecretValue> environment,
            @Nullable Path directory)
            implements Transport {}

    /**
     * A server at a URL.
     *
     * @param authorization its credential where no header has one; null for none
     */
    public record Http(
            URI endpoint,
            Map<String, SecretValue> headers,
            @Nullable Authorization authorization) implements Transport {
        /** One whose headers are all there is. */
        public Http(URI endpoint, Map<String, SecretValue> headers) {
            this(endpoint, headers, null);
        }

        @Override
        public String toString() {
            return "Http[headers=" + headers.keySet() + "]";
        }
    }

    /** A server inside this process, such as the playground: gets one message, answers none or more through the sink. */
    public record InProcess(EmbeddedServer server) implements Transport {}
}
