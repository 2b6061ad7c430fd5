package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.mcp.client.ServerListener.Reply;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Requests of servers that wait for a legacy client's answer. Each gets an id of ours, since two servers may choose the
 * same. Thread-safe.
 */
final class ServerRequests {
    private final Map<String, Open> open = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    private record Open(@Nullable ServerLink link, String serverId, Reply reply) {}

    /**
     * The request under an id of ours; its answer will go to {@code reply}.
     *
     * @param link the server that asks; null where we do
     */
    Outbound register(@Nullable ServerLink link, Outbound request, Reply reply) {
        String ours = Long.toString(last.incrementAndGet());
        JsonValue id = request.message().id();
        open.put(ours, new Open(link, id == null ? "" : id.spelling(), reply));
        return request.edited(message -> message.withId(ours.getBytes(StandardCharsets.US_ASCII)));
    }

    /** A client's response; false if nothing waits for it. */
    boolean answer(Message response) {
        JsonValue id = response.id();
        Open waiting = id == null ? null : open.remove(id.spelling());
        if (waiting == null) {
            return false;
        }
        waiting.reply.send(response.bytes());
        return true;
    }

    /** Our id for a server's request, and forgets it: the server no longer wants the answer. Null if there is none. */
    @Nullable
    String cancel(ServerLink link, String serverId) {
        for (Map.Entry<String, Open> entry : open.entrySet()) {
            if (entry.getValue().link == link && entry.getValue().serverId.equals(serverId)) {
                open.remove(entry.getKey());
                return entry.getKey();
            }
        }
        return null;
    }

    /** The request could not be brought to the client. */
    void fail(Outbound request) {
        JsonValue id = request.message().id();
        Open waiting = id == null ? null : open.remove(id.spelling());
        if (waiting != null) {
            waiting.reply.send(noClient());
        }
    }

    void forget(ServerLink link) {
        open.values().removeIf(waiting -> waiting.link == link);
    }

    void close() {
        open.values().forEach(waiting -> waiting.reply.send(noClient()));
        open.clear();
    }

    private static byte[] noClient() {
        return JsonRpc.error(null, JsonRpc.INTERNAL_ERROR, "the client is gone and cannot be asked", null);
    }
}
