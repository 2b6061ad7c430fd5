package dev.postern.mcp.server;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The streams of one session that can be taken up again: open ones, and the newest that are over. Thread-safe. */
final class ResumableStreams {
    private static final int MAX_OVER = 16;
    private static final long MAX_OVER_BYTES = 4 << 20;
    private static final Duration KEPT = Duration.ofMinutes(5);

    /** So that an id of an earlier session finds nothing here. */
    private final String prefix = Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 50), 36) + "_";

    private final AtomicLong names = new AtomicLong();
    private final Map<String, ResumableStream> streams = new LinkedHashMap<>();

    /** Where a client wants to go on. */
    record Position(ResumableStream stream, long after) {}

    /** A new stream, not kept yet. */
    ResumableStream create() {
        return new ResumableStream(prefix + names.incrementAndGet(), false);
    }

    /** A new stream of what belongs to no request. */
    ResumableStream createListened() {
        ResumableStream stream = new ResumableStream(prefix + names.incrementAndGet(), true);
        keep(stream);
        return stream;
    }

    /** The client is about to learn of a stream's name. */
    synchronized void keep(ResumableStream stream) {
        streams.put(stream.name(), stream);
        tidy();
    }

    /** The place that a {@code Last-Event-ID} names; null if there is none, or none any more. */
    synchronized @Nullable Position find(@Nullable String lastEventId) {
        int dash = lastEventId == null ? -1 : lastEventId.indexOf('-');
        if (lastEventId == null || dash < 0) {
            return null;
        }
        ResumableStream stream = streams.get(lastEventId.substring(0, dash));
        try {
            return stream == null ? null : new Position(stream, Long.parseLong(lastEventId.substring(dash + 1)));
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    /** Drops streams that are over: those of long ago, and the oldest where there are many. */
    synchronized void tidy() {
        streams.values().removeIf(stream -> stream.hasBeenOverFor(KEPT));
        long count = streams.values().stream().filter(ResumableStream::isOver).count();
        long bytes = streams.values().stream()
                .filter(ResumableStream::isOver)
                .mapToLong(ResumableStream::bytes)
                .sum();
        var oldestFirst = streams.values().iterator();
        while ((count > MAX_OVER || bytes > MAX_OVER_BYTES) && oldestFirst.hasNext()) {
            ResumableStream stream = oldestFirst.next();
            if (stream.isOver()) {
                count--;
                bytes -= stream.bytes();
                oldestFirst.remove();
            }
        }
    }

    synchronized void close() {
        streams.values().forEach(stream -> stream.end(null));
        streams.clear();
    }
}
