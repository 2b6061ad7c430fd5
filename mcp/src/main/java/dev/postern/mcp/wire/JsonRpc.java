package dev.postern.mcp.wire;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The messages we compose ourselves, and the error codes of JSON-RPC 2.0 and MCP. */
public final class JsonRpc {
    public static final int PARSE_ERROR = -32700;
    public static final int INVALID_REQUEST = -32600;
    public static final int METHOD_NOT_FOUND = -32601;
    public static final int INVALID_PARAMS = -32602;
    public static final int INTERNAL_ERROR = -32603;
    /** MCP 2026-07-28: a header does not say what the body says. */
    public static final int HEADER_MISMATCH = -32020;
    /** MCP 2026-07-28: the client lacks a capability that the request needs. */
    public static final int MISSING_CLIENT_CAPABILITY = -32021;
    /** MCP 2026-07-28: {@code data} lists the versions that are supported. */
    public static final int UNSUPPORTED_PROTOCOL_VERSION = -32022;

    private JsonRpc() {}

    /** {@code {"jsonrpc":"2.0","id":ID,"method":METHOD,"params":PARAMS}}; null params are left out. */
    public static byte[] request(byte[] id, String method, byte @Nullable [] params) {
        return join("{\"jsonrpc\":\"2.0\",\"id\":", id, ",\"method\":" + JsonStrings.quote(method), params);
    }

    public static byte[] notification(String method, byte @Nullable [] params) {
        return join("{\"jsonrpc\":\"2.0\"", new byte[0], ",\"method\":" + JsonStrings.quote(method), params);
    }

    public static byte[] result(byte[] id, byte[] result) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(result.length + id.length + 40);
        ascii(out, "{\"jsonrpc\":\"2.0\",\"id\":");
        out.writeBytes(id);
        ascii(out, ",\"result\":");
        out.writeBytes(result);
        out.write('}');
        return out.toByteArray();
    }

    /** An error response; a null id becomes {@code null}, null data is left out. */
    public static byte[] error(@Nullable JsonValue id, int code, String message, byte @Nullable [] data) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(200);
        ascii(out, "{\"jsonrpc\":\"2.0\",\"id\":");
        out.writeBytes(id == null ? "null".getBytes(StandardCharsets.US_ASCII) : id.bytes());
        ascii(out, ",\"error\":{\"code\":" + code + ",\"message\":");
        out.writeBytes(JsonStrings.quote(message).getBytes(StandardCharsets.UTF_8));
        if (data != null) {
            ascii(out, ",\"data\":");
            out.writeBytes(data);
        }
        ascii(out, "}}");
        return out.toByteArray();
    }

    private static byte[] join(String head, byte[] id, String method, byte @Nullable [] params) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(64 + (params == null ? 0 : params.length));
        ascii(out, head);
        out.writeBytes(id);
        out.writeBytes(method.getBytes(StandardCharsets.UTF_8));
        if (params != null) {
            ascii(out, ",\"params\":");
            out.writeBytes(params);
        }
        out.write('}');
        return out.toByteArray();
    }

    private static void ascii(ByteArrayOutputStream out, String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
