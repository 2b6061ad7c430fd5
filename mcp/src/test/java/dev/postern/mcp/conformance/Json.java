package dev.postern.mcp.conformance;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** JSON as maps, read and written by a library that the product does not use for this. */
final class Json {
    private Json() {}

    static Map<String, Object> parse(byte[] json) {
        return JSON.std.mapFrom(json);
    }

    static byte[] write(Object value) {
        return JSON.std.asBytes(value);
    }

    /** A member that is an object; empty where it is not there or something else. */
    @SuppressWarnings("unchecked") // the parser's maps have strings for keys
    static Map<String, Object> object(@Nullable Map<String, Object> in, String name) {
        Object value = in == null ? null : in.get(name);
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    static String text(@Nullable Map<String, Object> in, String name) {
        Object value = in == null ? null : in.get(name);
        return value instanceof String text ? text : "";
    }

    static Map<String, Object> result(@Nullable Object id, Map<String, Object> result) {
        Map<String, Object> message = envelope(id);
        message.put("result", result);
        return message;
    }

    static Map<String, Object> error(@Nullable Object id, Failure failure) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", failure.code());
        error.put("message", String.valueOf(failure.getMessage()));
        if (!failure.data().isEmpty()) {
            error.put("data", failure.data());
        }
        Map<String, Object> message = envelope(id);
        message.put("error", error);
        return message;
    }

    static Map<String, Object> request(Object id, String method, Map<String, Object> params) {
        Map<String, Object> message = envelope(id);
        message.put("method", method);
        message.put("params", params);
        return message;
    }

    static Map<String, Object> notification(String method, Map<String, Object> params) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("method", method);
        message.put("params", params);
        return message;
    }

    private static Map<String, Object> envelope(@Nullable Object id) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", id);
        return message;
    }

    /** Ends a request with an error response. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int code;
        private final transient Map<String, Object> data;

        Failure(int code, String message, Map<String, Object> data) {
            super(message);
            this.code = code;
            this.data = data;
        }

        Failure(int code, String message) {
            this(code, message, Map.of());
        }

        int code() {
            return code;
        }

        Map<String, Object> data() {
            return data;
        }
    }
}
