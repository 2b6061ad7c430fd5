package dev.postern.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Passes on a child's stderr line by line. Long lines are cut, and of a flood only as many lines as the limits allow
 * get through, followed by a line that says how many did not. Reading never stops, so the child never waits for us.
 * Used by one thread.
 */
final class StderrReader {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int BURST_SECONDS = 10;

    private final Consumer<byte[]> lines;
    private final LongSupplier nanoTime;
    private final int linesPerSecond;
    private final byte[] line;
    private int length;
    private boolean any;
    /** Lines that may pass now, times a second's nanoseconds. */
    private long credit;

    private long creditedNanos;
    private long dropped;

    StderrReader(ConnectionLimits limits, LongSupplier nanoTime, Consumer<byte[]> lines) {
        this.lines = lines;
        this.nanoTime = nanoTime;
        this.linesPerSecond = limits.stderrLinesPerSecond();
        this.line = new byte[limits.maxStderrLineBytes()];
        this.credit = mostCredit();
        this.creditedNanos = nanoTime.getAsLong();
    }

    void readAll(InputStream input) throws IOException {
        byte[] chunk = new byte[16 << 10];
        for (int read; (read = input.read(chunk)) >= 0; ) {
            for (int i = 0; i < read; i++) {
                if (chunk[i] == '\n') {
                    complete();
                } else {
                    any = true;
                    if (length < line.length) {
                        line[length++] = chunk[i];
                    }
                }
            }
        }
        if (any) {
            complete();
        }
        reportDropped();
    }

    private void complete() {
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        any = false;
        length = 0;
        if (!mayPass()) {
            dropped++;
            return;
        }
        reportDropped();
        lines.accept(Arrays.copyOf(line, end));
    }

    private boolean mayPass() {
        long now = nanoTime.getAsLong();
        long passed = Math.min(now - creditedNanos, BURST_SECONDS * NANOS_PER_SECOND);
        creditedNanos = now;
        credit = Math.min(mostCredit(), credit + passed * linesPerSecond);
        if (credit < NANOS_PER_SECOND) {
            return false;
        }
        credit -= NANOS_PER_SECOND;
        return true;
    }

    private long mostCredit() {
        return BURST_SECONDS * NANOS_PER_SECOND * linesPerSecond;
    }

    private void reportDropped() {
        if (dropped > 0) {
            lines.accept(("[" + dropped + " lines dropped]").getBytes(StandardCharsets.US_ASCII));
            dropped = 0;
        }
    }
}
