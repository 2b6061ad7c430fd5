package dev.postern.mcp.server;

import dev.postern.mcp.relay.Exchange;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.server.ResumableStream.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * One POST of a session and its response, as {@link HttpExchange}, for clients that take a stream up again: it begins with
 * an event that only has an id, and what was said while nobody was connected is said to whoever comes back.
 */
final class ResumableExchange implements Exchange {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ResumableStreams streams;
    private final ResumableStream stream;
    private final Response response;
    private final McpSettings settings;

    ResumableExchange(ResumableStreams streams, Response response, McpSettings settings) {
        this.streams = streams;
        this.stream = streams.create();
        this.response = response;
        this.settings = settings;
    }

    @Override
    public boolean send(Outbound message) {
        return stream.add(message);
    }

    @Override
    public void pause(Duration until) {
        stream.pause(until);
    }

    /**
     * Does the work and writes what comes of it.
     *
     * @param work returns the answer; null for none
     * @throws IOException if the client is gone; the work goes on, and so does the stream
     */
    void serve(Supplier<@Nullable Outbound> work) throws IOException, InterruptedException {
        long reader = stream.attach(0);
        Thread.ofVirtual().name("mcp-request").start(() -> {
            Outbound answer = null;
            try {
                answer = work.get();
            } finally {
                stream.end(answer);
            }
        });
        try {
            Step first = stream.next(reader, settings.soon());
            if (first instanceof Step.Event(long number, Outbound message, boolean last) && number == 1 && last) {
                response.setStatus(200);
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                Content.Sink.write(response, true, ByteBuffer.wrap(message.bytes()));
                return;
            }
            streams.keep(stream);
            EventStream out = EventStream.open(response);
            out.prime(stream.idOf(0), first instanceof Step.Paused(Duration until) ? until : RETRY);
            pump(stream, reader, first, out, settings.heartbeat());
        } finally {
            stream.detach(reader);
        }
    }

    /** Goes on with a stream on another connection. */
    static void resume(ResumableStreams.Position position, Response response, Duration heartbeat)
            throws IOException, InterruptedException {
        ResumableStream stream = position.stream();
        long reader = stream.attach(position.after());
        try {
            EventStream out = EventStream.open(response);
            pump(stream, reader, stream.next(reader, heartbeat), out, heartbeat);
        } finally {
            stream.detach(reader);
        }
    }

    private static void pump(ResumableStream stream, long reader, Step first, EventStream out, Duration heartbeat)
            throws IOException, InterruptedException {
        Step step = first;
        while (true) {
            switch (step) {
                case Step.Event(long number, Outbound message, boolean last) -> {
                    out.send(stream.idOf(number), message);
                    if (last) {
                        out.end();
                        return;
                    }
                }
                case Step.Silence() -> {
                    if (out.isGood()) {
                        out.heartbeat();
                    } else {
                        step = stream.next(reader, EventStream.FAREWELL);
                        if (step instanceof Step.Silence) {
                            out.end();
                            return;
                        }
                        continue;
                    }
                }
                case Step.Paused(Duration until) -> {
                    out.end();
                    return;
                }
                case Step.Over() -> {
                    out.end();
                    return;
                }
            }
            step = stream.next(reader, heartbeat);
        }
    }
}
