package dev.postern.scrub;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Scrubs text that arrives in pieces of any size, with the same answer as in one piece.
 *
 * <p>What could still become part of a value is held back: about as many characters as the longest form of a value has,
 * more within a run of base64. {@link #flush()} lets it go: whoever feeds this from a terminal or a process calls
 * {@code flush()} when nothing arrived for 100 ms, so that a prompt without a line end is never withheld for longer. A value
 * that was cut by such a pause is still recognised: what is let go of stays in sight until no value can reach back to it.
 * Then only a first part that says too little (S15) has been let go, and the rest is replaced.
 *
 * <p>Not thread-safe.
 */
public final class TextScrubber extends OutputStream {
    /** Smaller pieces are collected, so that text written byte by byte costs no more than text in blocks. */
    private static final int WORTH_A_LOOK = 512;

    private static final int MOST_AT_ONCE = 1 << 14;
    /** One place that goes on and on, such as a value of one letter in a text of that letter, is not held back longer. */
    private static final int MOST_HELD = 1 << 18;

    private final Scrubber scrubber;
    private final TextPass pass;
    private final OutputStream out;
    /** What was let go of and stays in sight, then what is held back. */
    private byte[] text = new byte[2 * MOST_AT_ONCE];

    private int length;
    /** Up to here the text was let go of. */
    private int released;
    /** How much arrived since the last look. */
    private int fresh;

    private boolean startInSight = true;
    /** Whether the last text let go of was a value, or part of one, and its placeholder is out. */
    private boolean placeholderOut;

    private int hits;

    TextScrubber(Scrubber scrubber, TextPass pass, OutputStream out) {
        this.scrubber = scrubber;
        this.pass = pass;
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (scrubber.isEmpty()) {
            out.write(bytes, offset, count);
            return;
        }
        for (int at = offset; at < offset + count; ) {
            int taken = Math.min(MOST_AT_ONCE, offset + count - at);
            append(bytes, at, taken);
            at += taken;
            if (fresh >= WORTH_A_LOOK) {
                release(false);
            }
        }
    }

    /**
     * Lets go of everything held back, and flushes the stream behind. A part of a value at the end of the text is replaced
     * if it says enough of it (S15).
     */
    @Override
    public void flush() throws IOException {
        if (holdsBack()) {
            release(true);
        }
        out.flush();
    }

    /** Whether anything is held back, so that a {@link #flush()} is due when the input pauses. */
    public boolean holdsBack() {
        return length > released;
    }

    /** How many places were replaced so far. */
    public int hits() {
        return hits;
    }

    /** Lets go of everything held back; closes the stream behind. */
    @Override
    public void close() throws IOException {
        try {
            flush();
        } finally {
            Arrays.fill(text, (byte) 0);
            length = 0;
            released = 0;
            out.close();
        }
    }

    private void append(byte[] bytes, int offset, int count) {
        if (length + count > text.length) {
            byte[] larger = Arrays.copyOf(text, Math.max(2 * text.length, length + count));
            Arrays.fill(text, (byte) 0);
            text = larger;
        }
        System.arraycopy(bytes, offset, text, length, count);
        length += count;
        fresh += count;
    }

    private void release(boolean all) throws IOException {
        fresh = 0;
        scrubber.open();
        var places = pass.find(text, length, startInSight, all).united();
        int end = length;
        if (!all) {
            end = pass.settled(text, length);
            for (Occurrences.Place place : places) {
                if (place.start() < end && place.end() > end && length - released <= MOST_HELD) {
                    end = place.start();
                }
            }
        }
        if (end > released) {
            int from = released;
            boolean replaced = placeholderOut;
            placeholderOut = false;
            for (Occurrences.Place place : places) {
                if (place.end() <= from || place.start() >= end) {
                    continue;
                }
                if (place.start() >= from || !replaced) {
                    out.write(text, from, Math.max(0, place.start() - from));
                    if (place.target() != null) {
                        out.write(place.target().text());
                    }
                    hits++;
                }
                from = Math.min(end, place.end());
                placeholderOut = place.end() >= end;
            }
            out.write(text, from, end - from);
            released = end;
            forget();
        }
    }

    /** Keeps in sight only what a value that ends in text to come can reach back to. */
    private void forget() {
        int kept = pass.settled(text, released);
        if (kept > 0) {
            System.arraycopy(text, kept, text, 0, length - kept);
            Arrays.fill(text, length - kept, length, (byte) 0);
            length -= kept;
            released -= kept;
            startInSight = false;
        }
    }
}
