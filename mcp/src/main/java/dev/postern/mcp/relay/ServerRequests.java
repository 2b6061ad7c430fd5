package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.mcp.client.ServerListener.Reply;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
    private volatile boolean closed;

    private record Open(@Nullable ServerLink link, String serverId, Reply reply) {}

    /**
     * The request under an id of ours; its answer will go to {@code reply}.
     *
     * @param link the server that asks; null where we do
     * @return null if the client cannot be asked any more, which {@code reply} was told
     */
    @Nullable
    Outbound register(@Nullable ServerLink link, Outbound request, Reply reply) {
        String ours = Long.toString(last.incrementAndGet());
        JsonValue id = request.message().id();
        open.put(ours, new Open(link, id == null ? "" : id.spelling(), reply));
        if (closed) {
            fail(ours);
            return null;
        }
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
        if (id != null) {
            fail(id.spelling());
        }
    }

    private void fail(String ours) {
        Open waiting = open.remove(ours);
        if (waiting != null) {
            waiting.reply.send(noClient());
        }
    }

    /** The server is gone; the ids, of ours, of what it asked. */
    List<String> forget(ServerLink link) {
        List<String> forgotten = new ArrayList<>();
        open.forEach((ours, waiting) -> {
            if (waiting.link == link && open.remove(ours, waiting)) {
                forgotten.add(ours);
            }
        });
        return forgotten;
    }

    /** The client answers nothing any more. */
    void close() {
        closed = true;
        open.keySet().forEach(this::fail);
    }

    private static byte[] noClient() {
        return JsonRpc.error(null, JsonRpc.INTERNAL_ERROR, "the client is gone and cannot be asked", null);
    }
}
