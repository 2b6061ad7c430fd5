package dev.postern.mcp.relay;

import dev.postern.gate.call.Cancellation;
import dev.postern.json.CanonicalJson;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.json.Splice;
import dev.postern.mcp.client.ServerListener.Reply;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A modern client's request to a legacy server that may ask something midway. The server's call goes on while the client
 * is told {@code input_required}, and its next request brings the answers (2026-07-28, "Multi Round-Trip Requests"). What the
 * server says goes to whichever response stream is open; while there is none, the newest of it is kept for the next.
 */
final class Flight implements Exchange {
    private static final byte[] ID = "0".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_KEPT = 1_000;
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private final Message original;
    private final Exchange first;
    private final Cancellation cancellation = new Cancellation();
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Map<String, Asked> asked = new LinkedHashMap<>();
    /** Guards what is said to the client, so that it is said in order. */
    private final Object saying = new Object();

    private final Deque<Outbound> kept = new ArrayDeque<>();
    private long keptBytes;
    private volatile @Nullable Exchange stream;
    private @Nullable JsonValue token;
    private volatile long parkedNanos = System.nanoTime();
    private int keys;

    /** What a flight comes to next. */
    sealed interface Event {
        /** It is over. */
        record Answered(Outbound answer) implements Event {}

        /** The server wants something. */
        record Asks(Outbound request, Reply reply) implements Event {}
    }

    private record Asked(Message request, Reply reply) {}

    /** @param first carries the request that begins it */
    Flight(Message original, Exchange first) {
        this.original = original;
        this.first = first;
    }

    /** Begins the work on a thread of its own. */
    void begin(Supplier<Outbound> work) {
        Thread.ofVirtual().name("mcp-flight").start(() -> events.add(new Event.Answered(work.get())));
    }

    /** Ends the call, as the client asked or because it never came back. */
    Cancellation cancellation() {
        return cancellation;
    }

    /** The server asks something; the client hears of it when its request returns. */
    void ask(Outbound request, Reply reply) {
        events.add(new Event.Asks(request, reply));
    }

    @Override
    public boolean send(Outbound message) {
        synchronized (saying) {
            Exchange open = stream;
            if (open != null) {
                return open.send(underCurrentToken(message));
            }
            kept.addLast(message);
            keptBytes += message.bytes().length;
            while (kept.size() > MAX_KEPT || keptBytes > MAX_KEPT_BYTES) {
                keptBytes -= kept.removeFirst().bytes().length;
            }
            return true;
        }
    }

    private void open(Exchange next, @Nullable JsonValue newToken) {
        synchronized (saying) {
            token = newToken;
            kept.forEach(message -> next.send(underCurrentToken(message)));
            kept.clear();
            keptBytes = 0;
            stream = next;
        }
    }

    private void park() {
        synchronized (saying) {
            stream = null;
        }
        parkedNanos = System.nanoTime();
    }

    @Override
    public @Nullable Map<String, String> headerParameters() {
        return first.headerParameters();
    }

    /** A further round may have brought another progress token. */
    private Outbound underCurrentToken(Outbound message) {
        JsonValue now = token;
        if (now == null) {
            return message;
        }
        return message.edited(read -> {
            JsonValue params = read.method().equals("notifications/progress") ? read.body() : null;
            JsonValue old = params == null ? null : params.member(MetaKeys.PROGRESS_TOKEN);
            return old == null
                    ? read.bytes()
                    : new Splice(read.bytes()).replace(old, now.bytes()).apply();
        });
    }

    /** Whether a request is a further round of this one: the same method, and the same params but for what rounds add. */
    boolean isContinuedBy(Message request) {
        return request.method().equals(original.method()) && Arrays.equals(essence(request), essence(original));
    }

    private static byte[] essence(Message request) {
        Map<String, Object> essence = new LinkedHashMap<>();
        JsonValue params = request.body();
        if (params != null) {
            params.forEachMember((name, value) -> {
                if (!List.of("_meta", "inputResponses", "requestState").contains(name.string())) {
                    essence.put(name.string(), value);
                }
            });
        }
        return CanonicalJson.of(JsonValue.parse(JsonWriter.write(essence)));
    }

    /**
     * Waits, with a response stream open, until there is something to answer.
     *
     * @param request the client's request that is open now
     * @return the answer to it, under its own id; null if the server wants more: {@link #inputRequests()} tells what
     */
    @Nullable
    Outbound proceed(Message request, Exchange open, Cancellation dropped) throws InterruptedException {
        open(open, request == original ? null : new InFlight(request, open, dropped).progressToken());
        answer(request.body() == null ? null : request.body().member("inputResponses"));
        try (var _ = dropped.onFire(cancellation::fire)) {
            Event event = asked.isEmpty() ? events.take() : events.poll();
            while (event != null) {
                switch (event) {
                    case Event.Answered(var answer) -> {
                        return answer;
                    }
                    case Event.Asks(var message, var reply) ->
                        asked.put("input-" + ++keys, new Asked(message.message(), reply));
                }
                event = events.poll();
            }
            return null;
        } finally {
            park();
        }
    }

    private void answer(@Nullable JsonValue responses) {
        if (responses == null) {
            return;
        }
        for (String key : new ArrayList<>(asked.keySet())) {
            JsonValue response = responses.member(key);
            Asked one = response == null ? null : asked.remove(key);
            if (response != null && one != null) {
                one.reply.send(JsonRpc.result(ID, response.bytes()));
            }
        }
    }

    /** What the client is asked, JSON: an object of requests under keys of ours. */
    byte[] inputRequests() {
        Map<String, Object> requests = new LinkedHashMap<>();
        asked.forEach((key, one) -> {
            Map<String, Object> request = new LinkedHashMap<>();
            request.put("method", one.request.method());
            JsonValue params = one.request.body();
            request.put("params", params == null ? Map.of() : params);
            requests.put(key, request);
        });
        return JsonWriter.write(requests);
    }

    boolean isParkedFor(long nanos) {
        return stream == null && System.nanoTime() - parkedNanos > nanos;
    }
}
