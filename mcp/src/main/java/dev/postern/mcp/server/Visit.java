package dev.postern.mcp.server;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.json.JsonValue;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.JsonRpc;
import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One authenticated HTTP request to an endpoint, and the means to answer it.
 *
 * @param unscoped permissions that the scopes of the caller's token do not give; empty for a key
 */
record Visit(
        Request request, Response response, Callback callback, Caller caller, Set<Permission> unscoped, Scope scope) {
    Accepted accepted() {
        return Accepted.of(request);
    }

    @Nullable
    String header(String name) {
        return request.getHeaders().get(name);
    }

    void problem(int status, String what) {
        problem(status, null, JsonRpc.INVALID_REQUEST, what, null);
    }

    void problem(int status, @Nullable JsonValue id, int code, String what, byte @Nullable [] data) {
        Problems.write(response, callback, status, id, code, what, data);
    }

    /** A response without a body. */
    void done(int status) {
        response.setStatus(status);
        callback.succeeded();
    }
}
