package dev.postern.app.playground;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.client.EmbeddedServer;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The playground's protocol: {@code initialize} or {@code server/discover}, {@code ping}, {@code tools/list} and
 * {@code tools/call}; anything else is a method not found. Thread-safe.
 */
public final class Playground implements EmbeddedServer {
    /** The server's name among the configured ones. */
    public static final String NAME = "playground";

    private static final List<String> LEGACY_VERSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26");
    private static final String MODERN_VERSION = "2026-07-28";
    private static final long LIST_TTL_MILLIS = 3_600_000;

    private final Tools tools = new Tools();

    @Override
    public void handle(byte[] message, Consumer<byte[]> answers) {
        Message parsed;
        try {
            parsed = Message.parse(message);
        } catch (MalformedMessageException e) {
            answers.accept(JsonRpc.error(null, e.code(), "the message was not understood", null));
            return;
        }
        JsonValue id = parsed.id();
        if (parsed.type() == Message.Type.REQUEST && id != null) {
            answers.accept(answer(id, parsed));
        }
    }

    private byte[] answer(JsonValue id, Message request) {
        JsonValue params = request.body();
        return switch (request.method()) {
            case "initialize" -> JsonRpc.result(id.bytes(), JsonWriter.write(initialized(params)));
            case "server/discover" -> JsonRpc.result(id.bytes(), JsonWriter.write(discovered()));
            case "ping" -> JsonRpc.result(id.bytes(), JsonWriter.write(Map.of("resultType", "complete")));
            case "tools/list" -> JsonRpc.result(id.bytes(), JsonWriter.write(listed()));
            case "tools/call" -> called(id, params);
            default -> JsonRpc.error(id, JsonRpc.METHOD_NOT_FOUND, "the playground has no such method", null);
        };
    }

    private static Map<String, Object> initialized(@Nullable JsonValue params) {
        String asked = params == null ? null : params.string("protocolVersion");
        Map<String, Object> result = self();
        result.put("protocolVersion", LEGACY_VERSIONS.contains(asked) ? asked : LEGACY_VERSIONS.getFirst());
        return result;
    }

    private static Map<String, Object> discovered() {
        Map<String, Object> result = self();
        result.put("supportedVersions", List.of(MODERN_VERSION));
        result.put("resultType", "complete");
        result.put("ttlMs", LIST_TTL_MILLIS);
        result.put("cacheScope", "public");
        return result;
    }

    private static Map<String, Object> self() {
        Map<String, Object> self = new LinkedHashMap<>();
        self.put("capabilities", Map.of("tools", Map.of()));
        self.put("serverInfo", Map.of("name", NAME, "title", "Postern's playground", "version", "1"));
        self.put("instructions", "Tools to try references with: echo, sha256, note_write and note_read.");
        return self;
    }

    private static Map<String, Object> listed() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("tools", Tools.DEFINITIONS);
        result.put("resultType", "complete");
        result.put("ttlMs", LIST_TTL_MILLIS);
        result.put("cacheScope", "public");
        return result;
    }

    private byte[] called(JsonValue id, @Nullable JsonValue params) {
        String name = params == null ? null : params.string("name");
        JsonValue arguments = params == null ? null : params.member("arguments");
        if (name == null || !Tools.NAMES.contains(name)) {
            return JsonRpc.error(id, JsonRpc.INVALID_PARAMS, "the playground has no such tool", null);
        }
        try {
            // The text is a JSON string token: what came in as bytes goes out as bytes.
            return result(id, tools.call(name, arguments), false);
        } catch (IllegalArgumentException e) {
            return result(id, JsonWriter.write(e.getMessage()), true);
        }
    }

    private static byte[] result(JsonValue id, byte[] textToken, boolean error) {
        byte[] head = "{\"content\":[{\"type\":\"text\",\"text\":".getBytes(StandardCharsets.US_ASCII);
        byte[] tail = ("}]," + (error ? "\"isError\":true," : "") + "\"resultType\":\"complete\"}")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] result = new byte[head.length + textToken.length + tail.length];
        System.arraycopy(head, 0, result, 0, head.length);
        System.arraycopy(textToken, 0, result, head.length, textToken.length);
        System.arraycopy(tail, 0, result, head.length + textToken.length, tail.length);
        return JsonRpc.result(id.bytes(), result);
    }

    /** An argument that must be a string. */
    static JsonValue text(@Nullable JsonValue arguments, String name) {
        JsonValue value = arguments == null ? null : arguments.member(name);
        if (value == null || !value.is(Kind.STRING)) {
            throw new IllegalArgumentException("the argument '" + name + "' must be a string");
        }
        return value;
    }
}
