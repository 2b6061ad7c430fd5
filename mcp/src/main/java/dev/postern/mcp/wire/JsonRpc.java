package dev.postern.mcp.wire;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
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

    private static final byte[] CLOSE = {'}'};

    private JsonRpc() {}

    /** {@code {"jsonrpc":"2.0","id":ID,"method":METHOD,"params":PARAMS}}; null params are left out. */
    public static byte[] request(byte[] id, String method, byte @Nullable [] params) {
        return call("{\"jsonrpc\":\"2.0\",\"id\":" + new String(id, StandardCharsets.UTF_8) + ",", method, params);
    }

    /** {@code {"jsonrpc":"2.0","method":METHOD,"params":PARAMS}}; null params are left out. */
    public static byte[] notification(String method, byte @Nullable [] params) {
        return call("{\"jsonrpc\":\"2.0\",", method, params);
    }

    /** {@code {"jsonrpc":"2.0","id":ID,"result":RESULT}}. */
    public static byte[] result(byte[] id, byte[] result) {
        return join(ascii("{\"jsonrpc\":\"2.0\",\"id\":"), id, ascii(",\"result\":"), result, CLOSE);
    }

    /** An error response; a null id becomes {@code null}, null data is left out. */
    public static byte[] error(@Nullable JsonValue id, int code, String message, byte @Nullable [] data) {
        byte[] head = ascii("{\"jsonrpc\":\"2.0\",\"id\":");
        byte[] shownId = id == null ? ascii("null") : id.bytes();
        byte[] error = (",\"error\":{\"code\":" + code + ",\"message\":" + JsonStrings.quote(message))
                .getBytes(StandardCharsets.UTF_8);
        return data == null
                ? join(head, shownId, error, ascii("}}"))
                : join(head, shownId, error, ascii(",\"data\":"), data, ascii("}}"));
    }

    private static byte[] call(String head, String method, byte @Nullable [] params) {
        byte[] start = (head + "\"method\":" + JsonStrings.quote(method)).getBytes(StandardCharsets.UTF_8);
        return params == null ? join(start, CLOSE) : join(start, ascii(",\"params\":"), params, CLOSE);
    }

    /** One array of the right size: a growing buffer would leave copies of params behind, which may hold values. */
    private static byte[] join(byte[]... parts) {
        long size = 0;
        for (byte[] part : parts) {
            size += part.length;
        }
        byte[] joined = new byte[Math.toIntExact(size)];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
