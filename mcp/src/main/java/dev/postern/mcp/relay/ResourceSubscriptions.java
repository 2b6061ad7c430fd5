package dev.postern.mcp.relay;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.client.ServerConnection;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resources that a legacy server was asked to tell of. One that starts anew knows nothing of what the one before was asked, so
 * it is asked again. Thread-safe.
 */
final class ResourceSubscriptions {
    private static final String SUBSCRIBE = "resources/subscribe";
    private static final Set<String> METHODS = Set.of(SUBSCRIBE, "resources/unsubscribe");

    private final Set<String> uris = ConcurrentHashMap.newKeySet();

    /** Whether a method adds a resource, or takes one away. */
    static boolean isMethod(String method) {
        return METHODS.contains(method);
    }

    /** Takes note of what a server answered to one of those methods. */
    Outbound answered(String method, JsonValue params, Outbound answer) {
        String uri = params.string("uri");
        if (uri != null && answer.message().type() == Message.Type.RESULT) {
            if (method.equals(SUBSCRIBE)) {
                uris.add(uri);
            } else {
                uris.remove(uri);
            }
        }
        return answer;
    }

    /** Asks a server that has just started; waits for none of it. */
    void renew(ServerConnection started) {
        if (uris.isEmpty()) {
            return;
        }
        Thread.ofVirtual()
                .name("mcp-subscribe")
                .start(() -> uris.forEach(uri -> {
                    byte[] params = JsonWriter.write(Map.of("uri", uri));
                    Message own = Message.parse(JsonRpc.request(new byte[] {'0'}, SUBSCRIBE, params));
                    Cancellation never = new Cancellation();
                    try {
                        started.request(SUBSCRIBE, params, new InFlight(own, message -> false, never), never);
                    } catch (UpstreamException e) {
                        // It does not have that resource any more, or is gone again.
                    }
                }));
    }
}
