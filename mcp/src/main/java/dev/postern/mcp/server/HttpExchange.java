package dev.postern.mcp.server;

import dev.postern.mcp.relay.Exchange;
import dev.postern.mcp.relay.Outbound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * One POST and its response: JSON where the answer comes soon and alone, an event stream where something has to be said
 * before it or the client has to wait. The handler's thread is the only writer; the work is done on another, so that a
 * slow reader holds up nobody but itself.
 */
final class HttpExchange implements Exchange {
    /** Whoever fills this waits until the client has read on: back-pressure, as far as its server. */
    private static final int CAPACITY = 1_000;

    private static final int MAX_BYTES = 1 << 20;

    private final Response response;
    private final @Nullable Map<String, String> headerParameters;
    private final boolean streams;
    private final ToIntFunction<Outbound> status;
    private final Duration heartbeat;
    private final Backlog<Item> items = new Backlog<>(CAPACITY, MAX_BYTES, Item::length);
    private volatile boolean answered;
    private volatile boolean over;

    /** A message, or the end with or without one. */
    private record Item(@Nullable Outbound message, boolean last) {
        int length() {
            return message == null ? 0 : message.bytes().length;
        }
    }

    /**
     * @param headerParameters as in {@link Exchange#headerParameters()}
     * @param streams whether the client takes an event stream
     * @param status the HTTP status for an answer that comes as JSON
     * @param heartbeat how long to stay silent at most
     */
    HttpExchange(
            Response response,
            @Nullable Map<String, String> headerParameters,
            boolean streams,
            ToIntFunction<Outbound> status,
            Duration heartbeat) {
        this.response = response;
        this.headerParameters = headerParameters;
        this.streams = streams;
        this.status = status;
        this.heartbeat = heartbeat;
    }

    @Override
    public boolean send(Outbound message) {
        return streams && !answered && offer(new Item(message, false));
    }

    @Override
    public @Nullable Map<String, String> headerParameters() {
        return headerParameters;
    }

    private boolean offer(Item item) {
        try {
            while (!over) {
                if (items.offer(item, 1, TimeUnit.SECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /**
     * Does the work and writes what comes of it.
     *
     * @param work returns the answer; null for none
     * @throws IOException if the client is gone; the work goes on
     */
    void serve(Supplier<@Nullable Outbound> work) throws IOException, InterruptedException {
        Thread.ofVirtual().name("mcp-request").start(() -> {
            Outbound answer = null;
            try {
                answer = work.get();
            } finally {
                answered = true;
                offer(new Item(answer, true));
            }
        });
        try {
            write();
        } finally {
            over = true;
            items.clear();
        }
    }

    private void write() throws IOException, InterruptedException {
        EventStream stream = null;
        while (true) {
            Item item = streams ? items.poll(heartbeat.toNanos(), TimeUnit.NANOSECONDS) : items.take();
            if (item == null) {
                if (stream == null) {
                    stream = EventStream.open(response);
                }
                if (stream.isGood()) {
                    stream.heartbeat();
                    continue;
                }
                item = items.poll(EventStream.FAREWELL.toNanos(), TimeUnit.NANOSECONDS);
                if (item == null) {
                    stream.end();
                    return;
                }
            }
            if (item.last && stream == null && item.message != null) {
                writeJson(item.message);
                return;
            }
            if (stream == null) {
                stream = EventStream.open(response);
            }
            if (item.message == null) {
                stream.end();
                return;
            }
            if (item.last) {
                stream.end(item.message);
                return;
            }
            stream.send(item.message);
        }
    }

    private void writeJson(Outbound message) throws IOException {
        response.setStatus(status.applyAsInt(message));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        Content.Sink.write(response, true, ByteBuffer.wrap(message.bytes()));
    }
}
