package dev.postern.mcp.server;

import dev.postern.mcp.relay.Mailbox;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.server.ResumableStream.Step;
import java.io.IOException;
import java.time.Duration;
import org.eclipse.jetty.server.Response;

/**
 * The GET stream of what belongs to no request: one connection that takes from the session's mailbox. Its events have ids,
 * and what was written last is kept, so that a client whose connection broke is told again what it may have missed
 * (2025-11-25, transports, "Resumability and Redelivery").
 */
final class ListeningStream {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Mailbox mailbox;
    private final ResumableStream stream;
    private final Duration heartbeat;

    ListeningStream(Mailbox mailbox, ResumableStream stream, Duration heartbeat) {
        this.mailbox = mailbox;
        this.stream = stream;
        this.heartbeat = heartbeat;
    }

    /**
     * Writes until the session or the connection ends, or another connection takes the stream up.
     *
     * @param after the number of the last event that the client has; 0 for a new stream
     * @param primed whether to begin with an event that only has an id
     * @throws IOException if the client is gone
     */
    void serve(Response response, long after, boolean primed) throws IOException, InterruptedException {
        long reader = stream.attach(after);
        try (Mailbox.Reader mail = mailbox.read()) {
            EventStream out = EventStream.open(response);
            if (primed) {
                out.prime(stream.idOf(after), RETRY);
            }
            while (write(out, mail, stream.next(reader, Duration.ZERO))) {
                if (stream.isBehind(reader)) {
                    continue;
                }
                if (mail.await(heartbeat)) {
                    Outbound message = mail.poll();
                    if (message != null && !stream.add(reader, message)) {
                        mail.putBack(message);
                    }
                } else if (!mailbox.isClosed()) {
                    out.heartbeat();
                }
            }
            out.end();
        } finally {
            stream.rest(reader);
        }
    }

    private boolean write(EventStream out, Mailbox.Reader mail, Step step) throws IOException {
        return switch (step) {
            case Step.Event(long number, Outbound message, boolean last) -> {
                try {
                    out.send(stream.idOf(number), message);
                } catch (IOException e) {
                    if (stream.retract(number)) {
                        mail.putBack(message);
                    }
                    throw e;
                }
                yield true;
            }
            case Step.Silence() -> !mailbox.isClosed();
            case Step.Paused(Duration until) -> true;
            case Step.Over() -> false;
        };
    }
}
