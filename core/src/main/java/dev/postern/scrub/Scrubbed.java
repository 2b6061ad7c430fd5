package dev.postern.scrub;

/** A scrubbed message and how many places in it were replaced. */
public final class Scrubbed {
    private final byte[] bytes;
    private final int hits;

    Scrubbed(byte[] bytes, int hits) {
        this.bytes = bytes;
        this.hits = hits;
    }

    /** The message; the array that was handed in, not a copy, when {@link #hits()} is 0 (S11). */
    public byte[] bytes() {
        return bytes;
    }

    /** How many places were replaced; a whole binary block counts as one. */
    public int hits() {
        return hits;
    }

    @Override
    public String toString() {
        return "Scrubbed[" + bytes.length + " bytes, " + hits + " hits]";
    }
}
