package dev.postern.scrub;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Scrubs text that arrives in pieces of any size, with the same answer as in one piece.
 *
 * <p>What could still become part of a value is held back. {@link #flush()} lets it go: whoever feeds this from a
 * terminal or a process calls {@code flush()} when nothing arrived for 100 ms, so that a prompt without a line end is never
 * withheld for longer.
 *
 * <p>Not thread-safe.
 */
public final class TextScrubber extends OutputStream {
    private final Scrubber scrubber;
    private final OutputStream out;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private int hits;

    TextScrubber(Scrubber scrubber, OutputStream out) {
        this.scrubber = scrubber;
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (scrubber.isEmpty()) {
            out.write(bytes, offset, length);
        } else {
            held.write(bytes, offset, length);
        }
    }

    /** Lets go of everything held back, and flushes the stream behind. */
    @Override
    public void flush() throws IOException {
        Scrubbed scrubbed = scrubber.scrubTextCounting(held.toByteArray());
        held.reset();
        hits += scrubbed.hits();
        out.write(scrubbed.bytes());
        out.flush();
    }

    /** Whether anything is held back, so that a {@link #flush()} is due when the input pauses. */
    public boolean holdsBack() {
        return held.size() > 0;
    }

    /** How many places were replaced so far. */
    public int hits() {
        return hits;
    }

    /** Lets go of everything held back; closes the stream behind. */
    @Override
    public void close() throws IOException {
        flush();
        out.close();
    }
}
