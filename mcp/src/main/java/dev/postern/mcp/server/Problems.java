package dev.postern.mcp.server;

import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.JsonRpc;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** HTTP responses that say what is wrong: a JSON-RPC error, which every MCP client can show. */
final class Problems {
    private Problems() {}

    static void write(Response response, Callback callback, int status, String what) {
        write(response, callback, status, null, JsonRpc.INVALID_REQUEST, what, null);
    }

    static void write(
            Response response,
            Callback callback,
            int status,
            @Nullable JsonValue id,
            int code,
            String what,
            byte @Nullable [] data) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.write(true, ByteBuffer.wrap(JsonRpc.error(id, code, what, data)), callback);
    }
}
