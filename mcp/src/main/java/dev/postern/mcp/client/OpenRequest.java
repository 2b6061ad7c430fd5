package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A request that was sent, or is about to be, and has not been answered. Thread-safe. */
final class OpenRequest {
    private final long id;
    private final String method;
    private final @Nullable JsonValue inputSchema;
    private final Object tag;
    private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    private volatile boolean hopeless;
    private volatile boolean neverArrived;
    private volatile long heardNanos = System.nanoTime();

    OpenRequest(long id, String method, @Nullable JsonValue inputSchema, Object tag) {
        this.id = id;
        this.method = method;
        this.inputSchema = inputSchema;
        this.tag = tag;
    }

    long id() {
        return id;
    }

    byte[] idBytes() {
        return Long.toString(id).getBytes(StandardCharsets.US_ASCII);
    }

    String method() {
        return method;
    }

    /** What is known of the arguments of the tool that is called. */
    @Nullable
    JsonValue inputSchema() {
        return inputSchema;
    }

    /** The caller's mark, given back with messages that belong to this request. */
    Object tag() {
        return tag;
    }

    /** The server shows that it is at work: its time starts anew. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    void answered(byte[] response) {
        answer.complete(response);
    }

    /** It failed before the server did anything about it: however it fails now, it may be sent anew. */
    void neverArrived() {
        neverArrived = true;
    }

    void fail(Kind kind, String what) {
        fail(new UpstreamException(kind, what, neverArrived));
    }

    void fail(UpstreamException why) {
        answer.completeExceptionally(why);
    }

    /** Fails a request where no other message would fare better: the address is wrong, or the key. */
    void failHopelessly(UpstreamException why) {
        hopeless = true;
        fail(why);
    }

    boolean isHopeless() {
        return hopeless;
    }

    boolean isDone() {
        return answer.isDone();
    }

    /** The answer, if it has come. */
    byte @Nullable [] answerNow() {
        return answer.isDone() && !answer.isCompletedExceptionally() ? answer.join() : null;
    }

    /**
     * Waits for the answer.
     *
     * @param silence how long the server may say nothing about this request; null for as long as {@code longest}
     * @param excused true while the server waits for the client, whose time does not count against the server
     * @throws UpstreamException if the request failed or the time is over
     */
    byte[] await(@Nullable Duration silence, Duration longest, BooleanSupplier excused) {
        long end = System.nanoTime() + longest.toNanos();
        while (true) {
            long now = System.nanoTime();
            long left = end - now;
            if (silence != null) {
                left = Math.min(left, heardNanos + silence.toNanos() - now);
            }
            if (left <= 0 && end - now > 0 && excused.getAsBoolean()) {
                heard();
                continue;
            }
            if (left <= 0) {
                // An answer may have slipped in: then this changes nothing and the next get() returns it.
                fail(Kind.TIMED_OUT, "the server did not answer in time");
            }
            try {
                return answer.get(Math.max(left, 0), TimeUnit.NANOSECONDS);
            } catch (TimeoutException again) {
                // Progress may have moved the deadline.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail(Kind.CANCELLED, "the wait for the server was interrupted");
                throw new UpstreamException(Kind.CANCELLED, "the wait for the server was interrupted");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof UpstreamException known) {
                    throw known;
                }
                throw new IllegalStateException("a request failed for an unknown reason", e);
            }
        }
    }
}
