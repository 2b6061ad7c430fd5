package dev.postern.mcp.server;

import dev.postern.mcp.relay.Outbound;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/** An HTTP response of server-sent events. Used by one thread; every write blocks until the client has room for it. */
final class EventStream {
    private static final byte[] HEARTBEAT = ": still here\n\n".getBytes(StandardCharsets.US_ASCII);

    /** How long a stream whose credential has ended waits for the refusal of its call, which is on its way then. */
    static final Duration FAREWELL = Duration.ofSeconds(5);

    private static final String CREDENTIAL = EventStream.class.getName() + ".credential";

    private final Response response;
    private final @Nullable BooleanSupplier credential;

    private EventStream(Response response) {
        this.response = response;
        this.credential = credentialOf(response.getRequest());
    }

    private static @Nullable BooleanSupplier credentialOf(Request request) {
        return request.getAttribute(CREDENTIAL) instanceof BooleanSupplier known ? known : null;
    }

    /**
     * Every stream that answers this request ends when its credential is no longer good, at the next thing to be said (A1). Only
     * a refused call is still told that it was refused.
     */
    static void endsWith(Request request, BooleanSupplier isGood) {
        request.setAttribute(CREDENTIAL, isGood);
    }

    /** Whether the credential of a request is still good. */
    static boolean isGood(Request request) {
        BooleanSupplier credential = credentialOf(request);
        return credential == null || credential.getAsBoolean();
    }

    /** Starts the response. */
    static EventStream open(Response response) throws IOException {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache, no-transform");
        response.getHeaders().put("X-Accel-Buffering", "no");
        EventStream stream = new EventStream(response);
        stream.write(false, new byte[0]);
        return stream;
    }

    /** Whether the credential of this stream's request is still good. */
    boolean isGood() {
        return credential == null || credential.getAsBoolean();
    }

    /** One JSON-RPC message. A line end inside it, which JSON allows, becomes a further data line. */
    void send(Outbound message) throws IOException {
        requireGoodFor(message);
        write(false, event(message.bytes()));
    }

    /** As above, with an id after which the stream can be taken up again. */
    void send(String id, Outbound message) throws IOException {
        byte[] event = event(message.bytes());
        ByteBuffer whole = ByteBuffer.allocate(id.length() + 5 + event.length);
        whole.put(("id: " + id + "\n").getBytes(StandardCharsets.US_ASCII));
        requireGoodFor(message);
        Content.Sink.write(response, false, whole.put(event).flip());
    }

    /** An event without a message: where to go on from if nothing else comes, and how long to wait before that. */
    void prime(String id, Duration retry) throws IOException {
        String event = "id: " + id + "\nretry: " + retry.toMillis() + "\ndata: \n\n";
        requireGood();
        write(false, event.getBytes(StandardCharsets.US_ASCII));
    }

    /** A comment, so that nobody between us takes the silence for an end, and a client that is gone is noticed. */
    void heartbeat() throws IOException {
        requireGood();
        write(false, HEARTBEAT);
    }

    void end() throws IOException {
        write(true, new byte[0]);
    }

    /** The last message and the end in one write. */
    void end(Outbound message) throws IOException {
        requireGoodFor(message);
        write(true, event(message.bytes()));
    }

    static byte[] event(byte[] message) {
        ByteArrayOutputStream event = new ByteArrayOutputStream(message.length + 32);
        event.writeBytes("event: message\ndata: ".getBytes(StandardCharsets.US_ASCII));
        int from = 0;
        for (int at = 0; at < message.length; at++) {
            if (message[at] == '\n' || message[at] == '\r') {
                event.write(message, from, at - from);
                event.writeBytes("\ndata: ".getBytes(StandardCharsets.US_ASCII));
                if (message[at] == '\r' && at + 1 < message.length && message[at + 1] == '\n') {
                    at++;
                }
                from = at + 1;
            }
        }
        event.write(message, from, message.length - from);
        event.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
        return event.toByteArray();
    }

    private void requireGoodFor(Outbound message) throws IOException {
        if (!message.isRefusal()) {
            requireGood();
        }
    }

    private void requireGood() throws IOException {
        if (!isGood()) {
            end();
            throw new EOFException("the credential of this stream has ended");
        }
    }

    private void write(boolean last, byte[] bytes) throws IOException {
        Content.Sink.write(response, last, ByteBuffer.wrap(bytes));
    }
}
