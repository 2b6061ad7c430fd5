package dev.postern.mcp.client;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.scrub.Opened;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.ProtocolVersion;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.server.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Short ways to start servers and talk to them. */
final class Servers {
    /** A modern client. */
    static final ServerConnection.ClientFace FACE = face(ProtocolVersion.MODERN);

    /** A legacy client. */
    static final ServerConnection.ClientFace LEGACY_FACE = face(ProtocolVersion.LEGACY);

    static final Duration PATIENCE = Duration.ofSeconds(30);

    private Servers() {}

    static ServerConnection.ClientFace face(String version) {
        return new ServerConnection.ClientFace(
                json("{\"sampling\":{}}"), json("{\"name\":\"test\",\"version\":\"1\"}"), version);
    }

    static ServerSpec scripted(String... options) {
        return stdio(ScriptedServer.command(options), PATIENCE);
    }

    static ServerSpec stdio(List<String> command, Duration timeout) {
        List<SecretValue> arguments =
                command.subList(1, command.size()).stream().map(Servers::secret).toList();
        return new ServerSpec(
                "scripted", new ServerSpec.Stdio(secret(command.getFirst()), arguments, Map.of(), null), timeout);
    }

    static ServerSpec hasty(ServerSpec spec, Duration timeout) {
        return new ServerSpec(spec.name(), spec.transport(), timeout);
    }

    static String call(ServerConnection connection, String tool, String arguments) {
        return request(connection, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}", tool);
    }

    static String request(ServerConnection connection, String method, @Nullable String params, Object tag) {
        byte[] bytes = params == null ? null : params.getBytes(StandardCharsets.ISO_8859_1);
        return Opened.text(connection.request(method, bytes, tag, new Cancellation()));
    }

    /** A call on a connection whose timeout is too short for a busy machine, until it comes through. */
    static String eventually(Supplier<String> call) {
        while (true) {
            try {
                return call.get();
            } catch (UpstreamException again) {
                if (again.kind() != UpstreamException.Kind.TIMED_OUT) {
                    throw again;
                }
            }
        }
    }

    static SecretValue secret(String text) {
        return new SecretValue(text.getBytes(StandardCharsets.UTF_8));
    }

    static JsonValue json(String text) {
        return JsonValue.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
