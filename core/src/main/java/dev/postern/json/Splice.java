package dev.postern.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A rewrite of a text by ranges: what no range covers leaves as it came, byte for byte. Ranges are given in ascending
 * order and do not overlap. Not thread-safe; used once.
 */
public final class Splice {
    private final byte[] source;
    private final List<Edit> edits = new ArrayList<>();
    private int last;

    /** A rewrite of {@code source}, which must not change until {@link #apply()}. */
    public Splice(byte[] source) {
        this.source = source;
    }

    /**
     * Puts {@code replacement} where {@code [start, end)} stood. An empty range inserts.
     *
     * @throws IllegalArgumentException if the range lies outside the source or before the end of an earlier one
     */
    public Splice replace(int start, int end, byte[] replacement) {
        if (start < last || end < start || end > source.length) {
            throw new IllegalArgumentException("range " + start + ".." + end + " is out of order or outside the text");
        }
        edits.add(new Edit(start, end, replacement));
        last = end;
        return this;
    }

    /** Puts {@code replacement} in the place of a value of this text. */
    public Splice replace(JsonValue value, byte[] replacement) {
        return replace(value.start(), value.end(), replacement);
    }

    public Splice insert(int at, byte[] inserted) {
        return replace(at, at, inserted);
    }

    public boolean isEmpty() {
        return edits.isEmpty();
    }

    /** The new text; the source itself, not a copy, when nothing was replaced (S11). */
    public byte[] apply() {
        if (edits.isEmpty()) {
            return source;
        }
        long size = source.length;
        for (Edit edit : edits) {
            size += edit.replacement.length - (edit.end - edit.start);
        }
        byte[] result = new byte[Math.toIntExact(size)];
        int from = 0;
        int to = 0;
        for (Edit edit : edits) {
            System.arraycopy(source, from, result, to, edit.start - from);
            to += edit.start - from;
            System.arraycopy(edit.replacement, 0, result, to, edit.replacement.length);
            to += edit.replacement.length;
            from = edit.end;
        }
        System.arraycopy(source, from, result, to, source.length - from);
        return result;
    }

    /** Wipes the replacements, for callers whose replacements held secret values. */
    public void wipe() {
        for (Edit edit : edits) {
            Arrays.fill(edit.replacement, (byte) 0);
        }
        edits.clear();
    }

    /** Not a record: a record would show the replacement in toString. */
    private static final class Edit {
        private final int start;
        private final int end;
        private final byte[] replacement;

        Edit(int start, int end, byte[] replacement) {
            this.start = start;
            this.end = end;
            this.replacement = replacement;
        }
    }
}
