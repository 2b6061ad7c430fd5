package dev.postern.gate.scrub;

/** Server bytes after the choke point: safe for the agent. Made by {@link ChokePoint} only. */
public final class Scrubbed {
    private final byte[] bytes;
    private final int hits;

    Scrubbed(byte[] bytes, int hits) {
        this.bytes = bytes;
        this.hits = hits;
    }

    /** The message; the very array that was received when nothing was found (S11). Read only. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many times a value was taken out. */
    public int hits() {
        return hits;
    }
}
