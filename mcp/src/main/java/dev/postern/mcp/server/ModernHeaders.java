package dev.postern.mcp.server;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.relay.AnswerException;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.HeaderNames;
import dev.postern.mcp.wire.HeaderValue;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Whether the headers of a modern request say what its body says (2026-07-28, Streamable HTTP, section "Server
 * Validation"), and whether its {@code _meta} has what every request must have. Nobody between the client and us may be led to
 * believe something else than we do.
 */
final class ModernHeaders {
    private static final Set<String> NAMED = Set.of("tools/call", "prompts/get", "resources/read");

    private ModernHeaders() {}

    /** @throws AnswerException with the code the specification has for what is wrong */
    static void check(Function<String, @Nullable String> headers, Message request) {
        JsonValue params = request.body();
        JsonValue meta = params == null ? null : params.member(MetaKeys.META);
        String inBody = meta == null ? null : meta.string(MetaKeys.PROTOCOL_VERSION);
        String inHeader = headers.apply(HeaderNames.PROTOCOL_VERSION);
        if (inBody == null) {
            throw missing(MetaKeys.PROTOCOL_VERSION);
        }
        if (inHeader == null) {
            throw mismatch(HeaderNames.PROTOCOL_VERSION + " is missing");
        }
        if (!inHeader.equals(inBody)) {
            throw mismatch(HeaderNames.PROTOCOL_VERSION + " is not what params._meta says");
        }
        if (!ProtocolVersion.isSpoken(Era.MODERN, inBody)) {
            throw unsupported(inBody);
        }
        JsonValue capabilities = meta == null ? null : meta.member(MetaKeys.CLIENT_CAPABILITIES);
        if (capabilities == null || !capabilities.is(Kind.OBJECT)) {
            throw missing(MetaKeys.CLIENT_CAPABILITIES);
        }
        String method = headers.apply(HeaderNames.METHOD);
        if (method == null) {
            throw mismatch(HeaderNames.METHOD + " is missing");
        }
        if (!method.equals(request.method())) {
            throw mismatch(HeaderNames.METHOD + " is not the body's method");
        }
        checkName(headers.apply(HeaderNames.NAME), request.method(), params);
    }

    private static void checkName(@Nullable String header, String method, @Nullable JsonValue params) {
        String named = named(method, params);
        if (header == null) {
            if (named != null && NAMED.contains(method)) {
                throw mismatch(HeaderNames.NAME + " is missing");
            }
            return;
        }
        String decoded = HeaderValue.decode(header);
        if (decoded == null) {
            throw mismatch(HeaderNames.NAME + " is not well encoded");
        }
        if (named != null && !named.equals(decoded)) {
            throw mismatch(HeaderNames.NAME + " is not what the body names");
        }
    }

    /** The headers that repeat tool parameters, by what follows their prefix, in lower case. */
    static Map<String, String> parameters(Request request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String prefix = HeaderNames.PARAMETER_PREFIX;
        request.getHeaders().forEach(field -> {
            String name = field.getName();
            if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
                // A second value is as good as a wrong one.
                parameters.merge(
                        name.substring(prefix.length()).toLowerCase(Locale.ROOT),
                        String.valueOf(field.getValue()),
                        (one, other) -> one + "," + other);
            }
        });
        return parameters;
    }

    /** What the body names: a tool or prompt, a resource, or a task. */
    private static @Nullable String named(String method, @Nullable JsonValue params) {
        if (params == null) {
            return null;
        }
        return switch (method) {
            case "resources/read" -> params.string("uri");
            case "tools/call", "prompts/get" -> params.string("name");
            default -> method.startsWith("tasks/") ? params.string("taskId") : null;
        };
    }

    static AnswerException unsupported(String version) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("supported", Relay.supportedVersions());
        data.put("requested", version.length() <= 40 ? version : version.substring(0, 40));
        return new AnswerException(
                JsonRpc.UNSUPPORTED_PROTOCOL_VERSION,
                "this protocol version is not spoken here; data.supported lists those that are",
                JsonWriter.write(data));
    }

    private static AnswerException mismatch(String what) {
        return new AnswerException(JsonRpc.HEADER_MISMATCH, "header mismatch: " + what);
    }

    private static AnswerException missing(String member) {
        return new AnswerException(
                JsonRpc.INVALID_PARAMS, "params._meta[\"" + member + "\"] is missing; every request must have it");
    }
}
