package dev.postern.mcp.relay;

import dev.postern.gate.call.Refusal;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.json.Splice;
import dev.postern.mcp.catalog.ListKind;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last touch on a response: the client's id, and what the client's era demands of every result. */
final class Answers {
    private static final String REFUSAL_KEY = "dev.postern/refusal";
    /** A legacy code that modern responses must not use; the modern one for the same thing is INVALID_PARAMS. */
    private static final String RESOURCE_NOT_FOUND = "-32002";

    private Answers() {}

    /** A result we composed. */
    static Outbound result(Message request, byte[] result, Era client) {
        return passOn(Outbound.ours(JsonRpc.result(idOf(request), result)), request, client);
    }

    static Outbound error(Message request, AnswerException why) {
        return Outbound.ours(JsonRpc.error(request.id(), why.code(), String.valueOf(why.getMessage()), why.data()));
    }

    /** A refused call, as a result the model reads (contract, section 2). */
    static Outbound refusal(Message request, Refusal why, Era client) {
        Map<String, Object> refusal = new LinkedHashMap<>();
        refusal.put("code", why.code());
        refusal.put("disposition", why.disposition());
        refusal.put("retryable", why.retryable());
        why.details().forEach(refusal::putIfAbsent);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("content", List.of(Map.of("type", "text", "text", why.text())));
        result.put("isError", true);
        result.put("_meta", Map.of(REFUSAL_KEY, refusal));
        byte[] response = JsonRpc.result(idOf(request), JsonWriter.write(result));
        return passOn(Outbound.refusal(response), request, client);
    }

    /** A server's response under the client's id. Everything that the client's era does not demand stays as it came. */
    static Outbound passOn(Outbound response, Message request, Era client) {
        return response.edited(message -> {
            JsonValue id = message.id();
            JsonValue body = message.body();
            if (id == null || body == null) {
                throw new IllegalStateException("a response has an id and a body");
            }
            Splice splice = new Splice(message.bytes());
            if (id.start() < body.start()) {
                splice.replace(id, idOf(request));
                shape(splice, message, body, request, client);
            } else {
                shape(splice, message, body, request, client);
                splice.replace(id, idOf(request));
            }
            return splice.apply();
        });
    }

    private static void shape(Splice splice, Message message, JsonValue body, Message request, Era client) {
        if (client == Era.LEGACY || !body.is(Kind.OBJECT)) {
            return;
        }
        if (message.type() == Message.Type.ERROR) {
            JsonValue code = body.member("code");
            if (code != null && code.spelling().equals(RESOURCE_NOT_FOUND)) {
                splice.replace(code, utf8(Integer.toString(JsonRpc.INVALID_PARAMS)));
            }
            return;
        }
        StringBuilder missing = new StringBuilder();
        add(missing, body, "resultType", "\"complete\"");
        if (isCacheable(request.method())) {
            add(missing, body, "ttlMs", "0");
            add(missing, body, "cacheScope", "\"private\"");
        }
        if (!missing.isEmpty()) {
            if (ParamsEdit.isEmpty(body)) {
                missing.setLength(missing.length() - 1);
            }
            splice.insert(body.start() + 1, utf8(missing.toString()));
        }
    }

    private static void add(StringBuilder missing, JsonValue body, String name, String value) {
        if (body.member(name) == null) {
            missing.append('"').append(name).append("\":").append(value).append(',');
        }
    }

    private static boolean isCacheable(String method) {
        ListKind list = ListKind.of(method);
        return (list != null && list != ListKind.TASKS)
                || method.equals("resources/read")
                || method.equals("server/discover");
    }

    static byte[] idOf(Message request) {
        @Nullable JsonValue id = request.id();
        if (id == null) {
            throw new IllegalStateException("a notification is not answered");
        }
        return id.bytes();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
