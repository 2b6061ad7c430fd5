package dev.postern.mcp.server;

import dev.postern.gate.agent.Permission;
import dev.postern.json.JsonValue;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.Message;
import dev.postern.reference.ReferenceFinder;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told that lacks a credential, or a scope (RFC 6750, RFC 9728): where the metadata of the endpoint is, and
 * which scopes to ask for.
 */
final class Challenges {
    static final String METADATA_ROOT = "/.well-known/oauth-protected-resource";
    private static final Set<Permission> ALL = EnumSet.allOf(Permission.class);

    private Challenges() {}

    /** The {@code WWW-Authenticate} of an answer to a request without a good credential. */
    static String unauthorized(@Nullable ResourceServer tokens, Scope endpoint, @Nullable String why) {
        String challenge = "Bearer realm=\"postern\"";
        if (tokens == null) {
            return challenge;
        }
        if (why != null) {
            challenge += ", error=\"invalid_token\", error_description=\"" + why + "\"";
        }
        return challenge + where(tokens, endpoint, ALL);
    }

    /** The one for a request that needs more than its token's scopes give. */
    static String insufficient(ResourceServer tokens, Scope endpoint, Set<Permission> needed) {
        return "Bearer realm=\"postern\", error=\"insufficient_scope\"" + where(tokens, endpoint, needed);
    }

    private static String where(ResourceServer tokens, Scope endpoint, Set<Permission> permissions) {
        return ", resource_metadata=\"" + tokens.metadataUrl(endpoint) + "\", scope=\"" + tokens.scopes(permissions)
                + "\"";
    }

    /** What calls among these messages need of the agent's permissions; a call with references needs both. */
    static Set<Permission> needed(List<Message> messages) {
        Set<Permission> needed = EnumSet.noneOf(Permission.class);
        for (Message message : messages) {
            if (message.method().equals("tools/call")) {
                needed.add(Permission.TOOL_CALL);
                JsonValue arguments =
                        message.body() == null ? null : message.body().member("arguments");
                if (arguments != null && ReferenceFinder.mightContain(arguments.bytes())) {
                    needed.add(Permission.SECRET_USE);
                }
            }
        }
        return needed;
    }

    /** The metadata of an endpoint. Whether a server of that name exists is nobody's business here. */
    static void metadata(ResourceServer tokens, Scope endpoint, Response response, Callback callback) {
        response.setStatus(HttpStatus.OK_200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "max-age=300");
        response.write(true, ByteBuffer.wrap(tokens.metadata(endpoint)), callback);
    }
}
