package dev.postern.web.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;

/** One open stream: a queue that sources fill from any thread, written by the request's own. */
final class EventStream implements EventSink {
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final int CAPACITY = 500;
    private static final byte[] BEAT = ": still here\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> events = new ArrayBlockingQueue<>(CAPACITY);
    private volatile boolean ended;

    @Override
    public void send(String event, String data) {
        StringBuilder text = new StringBuilder("event: ").append(event).append('\n');
        data.lines().forEach(line -> text.append("data: ").append(line).append('\n'));
        if (data.isEmpty()) {
            text.append("data: \n");
        }
        offer(text.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void end() {
        ended = true;
        var _ = events.offer(END);
    }

    private void offer(byte[] event) {
        if (!ended && !events.offer(event)) {
            end();
        }
    }

    /**
     * Writes until the stream is ended, the reader is gone or whoever reads may no longer.
     *
     * @throws IOException if the reader is gone
     */
    void write(Response response, BooleanSupplier mayGoOn) throws IOException, InterruptedException {
        write(response, "retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII), false);
        while (!ended) {
            byte[] event = events.poll(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
            if ((event != null && event.length == 0) || !mayGoOn.getAsBoolean()) {
                break;
            }
            write(response, event == null ? BEAT : event, false);
        }
        write(response, END, true);
    }

    private static void write(Response response, byte[] bytes, boolean last) throws IOException {
        Content.Sink.write(response, last, ByteBuffer.wrap(bytes));
    }
}
