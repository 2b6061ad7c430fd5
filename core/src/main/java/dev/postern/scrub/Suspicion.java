package dev.postern.scrub;

import java.util.Arrays;
import java.util.List;

/** What one message shows from afar, gathered while {@link JsonPass} goes over it. */
final class Suspicion {
    private static final int TEXT = 't' | 'e' << 8 | 'x' << 16 | 't' << 24;

    private final byte[] json;
    private final Watch watch;
    private final List<Scalar> scalars;
    private final boolean wholeCounts;
    private final Triggers triggers = new Triggers();
    private boolean scalarFound;
    private boolean seamSuspicious;
    private boolean muted;
    private boolean textNext;
    /** Starts and ends of the values of members called {@code text}. */
    private int[] texts = new int[8];

    private int textCount;

    Suspicion(byte[] json, Watch watch, List<Scalar> scalars) {
        this.json = json;
        this.watch = watch;
        this.scalars = scalars;
        this.wholeCounts = watch.wholeCounts();
    }

    /** The content of a member's name, quotes excluded. */
    void name(int start, int end) {
        if (muted) {
            return;
        }
        textNext = end - start == 4 && Words.four(json, start) == TEXT;
        content(start, end);
    }

    /** The content of a string, quotes excluded. */
    void string(int start, int end) {
        if (muted) {
            return;
        }
        if (textNext) {
            textNext = false;
            if (textCount == texts.length) {
                texts = Arrays.copyOf(texts, 2 * textCount);
            }
            texts[textCount++] = start;
            texts[textCount++] = end;
        }
        content(start, end);
    }

    private void content(int start, int end) {
        if (wholeCounts && watch.mayBeWhole(json, start, end)) {
            triggers.value(start, 0, end - start);
        }
    }

    /** The marker of an escape, in a string or name. */
    void marker(int at) {
        if (muted) {
            return;
        }
        watch.escape(json, at, json.length, triggers);
    }

    /** A number, boolean or null. */
    void scalar(int start, int end) {
        if (muted) {
            return;
        }
        for (Scalar scalar : scalars) {
            scalarFound |= scalar.equals(json, start, end);
        }
    }

    /**
     * Looks for factors. Quotes are part of none, so the message need not be taken apart for that.
     *
     * @return whether a closer look is certain
     */
    boolean factors() {
        watch.factors(json, 0, json.length, triggers);
        return watch.everywhere() || !triggers.isEmpty();
    }

    /** To be called once the message is known to be JSON: looks for runs, in it and across its seams. */
    void complete() {
        watch.runs().watch(json, 0, json.length, 0, triggers::run);
        triggers.sort();
        if (textCount > 2 && triggers.isEmpty() && !watch.everywhere()) {
            seams().forEach(this::together);
        }
    }

    /** Escapes end at a seam, so the blocks can be put together as they are spelled. */
    private void together(List<Seams.Piece> pieces, boolean head, boolean tail) {
        if (seamSuspicious) {
            return;
        }
        int length = 0;
        for (Seams.Piece piece : pieces) {
            length += piece.end() - piece.start();
        }
        byte[] text = new byte[length];
        int at = 0;
        for (Seams.Piece piece : pieces) {
            System.arraycopy(json, piece.start(), text, at, piece.end() - piece.start());
            at += piece.end() - piece.start();
        }
        seamSuspicious = watch.isSuspicious(text, 0, length, 0);
        Arrays.fill(text, (byte) 0);
    }

    /** Whether nothing in the message asks for a closer look. */
    boolean isNone() {
        return triggers.isEmpty() && !scalarFound && !seamSuspicious && !watch.everywhere();
    }

    /** The seams between adjacent text blocks. */
    Seams seams() {
        return new Seams(json, texts, textCount, watch.longest(), watch.escapes());
    }

    /** Makes a second pass of the same message go by unnoticed. */
    void mute() {
        muted = true;
    }

    Triggers triggers() {
        return triggers;
    }
}
