package dev.postern.mcp.wire;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One JSON-RPC message: its bytes, and where the parts we route by stand in them. A message whose routing members
 * appear twice is refused, because two readers could read it differently.
 */
public final class Message {
    /** What JSON-RPC tells apart. */
    public enum Type {
        REQUEST,
        NOTIFICATION,
        RESULT,
        ERROR
    }

    private static final String NOTIFICATIONS = "notifications/";

    private final JsonValue root;
    private final Type type;
    private final @Nullable JsonValue id;
    private final @Nullable String method;
    private final @Nullable JsonValue body;

    private Message(
            JsonValue root, Type type, @Nullable JsonValue id, @Nullable String method, @Nullable JsonValue body) {
        this.root = root;
        this.type = type;
        this.id = id;
        this.method = method;
        this.body = body;
    }

    /**
     * Indexes one message. The array is shared: read only from here on.
     *
     * @throws MalformedMessageException if it is not JSON, not one JSON-RPC 2.0 message, or ambiguous
     */
    public static Message parse(byte[] bytes, int maxDepth) {
        JsonValue root;
        try {
            root = JsonValue.parse(bytes, maxDepth);
        } catch (JsonException e) {
            throw new MalformedMessageException(
                    JsonRpc.PARSE_ERROR, "the message is not valid JSON: " + e.getMessage());
        }
        if (!root.is(Kind.OBJECT)) {
            throw invalid("a message is a JSON object");
        }
        Members members = new Members();
        root.forEachMember(members);
        if (members.twice != null) {
            throw invalid("the member '" + members.twice + "' appears twice");
        }
        if (members.version == null
                || !members.version.is(Kind.STRING)
                || !members.version.string().equals("2.0")) {
            throw invalid("the member 'jsonrpc' is not \"2.0\"");
        }
        JsonValue id = members.id;
        if (id != null && !id.is(Kind.STRING) && !id.is(Kind.NUMBER) && !id.is(Kind.NULL)) {
            throw invalid("an id is a string or a number");
        }
        JsonValue method = members.method;
        JsonValue result = members.result;
        JsonValue error = members.error;
        if (method != null) {
            if (!method.is(Kind.STRING) || result != null || error != null) {
                throw invalid("a method is a string and stands in no response");
            }
            if (id != null && id.is(Kind.NULL)) {
                throw invalid("a request's id is not null");
            }
            return new Message(
                    root, id == null ? Type.NOTIFICATION : Type.REQUEST, id, method.string(), members.params);
        }
        if ((result == null) == (error == null)) {
            throw invalid("a message has a method, a result or an error");
        }
        return result != null
                ? new Message(root, Type.RESULT, id, null, result)
                : new Message(root, Type.ERROR, id, null, error);
    }

    /** As {@link #parse(byte[], int)} with the default depth. */
    public static Message parse(byte[] bytes) {
        return parse(bytes, JsonValue.DEFAULT_MAX_DEPTH);
    }

    private static MalformedMessageException invalid(String what) {
        return new MalformedMessageException(JsonRpc.INVALID_REQUEST, what);
    }

    public Type type() {
        return type;
    }

    /** The id as it is spelt: {@code 7} and {@code "7"} and {@code 7.0} are three ids. Null in a notification. */
    public @Nullable JsonValue id() {
        return id;
    }

    /**
     * Whether it is a notification and is named as one. A request without an id is none, however many servers would do what it
     * asks for and say nothing.
     */
    public boolean isNamedNotification() {
        return type == Type.NOTIFICATION && method().startsWith(NOTIFICATIONS);
    }

    /** The method of a request or notification; empty for a response. */
    public String method() {
        return method == null ? "" : method;
    }

    /** The params of a request or notification, the result or the error; null where params are absent. */
    public @Nullable JsonValue body() {
        return body;
    }

    public JsonValue root() {
        return root;
    }

    /** The whole message. Shared: read only. */
    public byte[] bytes() {
        return root.text();
    }

    /** The same message under another id; every other byte as it came. */
    public byte[] withId(byte[] newId) {
        if (id == null) {
            throw new IllegalStateException("a notification has no id");
        }
        return new Splice(bytes()).replace(id, newId).apply();
    }

    /** A response under another id, which is put in where an error has none; every other byte as it came. */
    public byte[] answering(byte[] requestId) {
        if (id != null) {
            return withId(requestId);
        }
        byte[] member =
                ("\"id\":" + new String(requestId, StandardCharsets.UTF_8) + ",").getBytes(StandardCharsets.UTF_8);
        return new Splice(bytes()).insert(root.start() + 1, member).apply();
    }

    @Override
    public String toString() {
        return "Message[" + type + "]";
    }

    /** The members a message is routed by, found in one walk: a member may be megabytes to walk past. */
    private static final class Members implements BiConsumer<JsonValue, JsonValue> {
        private @Nullable JsonValue version;
        private @Nullable JsonValue id;
        private @Nullable JsonValue method;
        private @Nullable JsonValue params;
        private @Nullable JsonValue result;
        private @Nullable JsonValue error;
        private @Nullable String twice;

        @Override
        public void accept(JsonValue nameToken, JsonValue value) {
            String name = nameToken.string();
            switch (name) {
                case "jsonrpc" -> version = once(name, version, value);
                case "id" -> id = once(name, id, value);
                case "method" -> method = once(name, method, value);
                case "params" -> params = once(name, params, value);
                case "result" -> result = once(name, result, value);
                case "error" -> error = once(name, error, value);
                default -> {}
            }
        }

        private JsonValue once(String name, @Nullable JsonValue earlier, JsonValue value) {
            if (earlier != null) {
                twice = name;
            }
            return value;
        }
    }
}
