package dev.postern.gate.scrub;

/** A scrubbed answer cut to the size an agent should get (S13). Made by {@link Cap} only. */
public final class Capped {
    private final byte[] bytes;
    private final int hits;

    Capped(byte[] bytes, int hits) {
        this.bytes = bytes;
        this.hits = hits;
    }

    /** The whole JSON-RPC response, with the id the server saw. Read only. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many times a value was taken out. */
    public int hits() {
        return hits;
    }
}
