package dev.postern.gate.scrub;

/** A scrubbed answer cut to the size an agent should get (S13). Made by {@link Cap} only. */
public final class Capped {
    private final byte[] bytes;
    private final int hits;
    private final boolean error;

    Capped(byte[] bytes, int hits, boolean error) {
        this.bytes = bytes;
        this.hits = hits;
        this.error = error;
    }

    /** The whole JSON-RPC response, with the id the server saw. Read only. */
    public byte[] bytes() {
        return bytes;
    }

    public int hits() {
        return hits;
    }

    /** Whether the server answered with a JSON-RPC error. */
    public boolean isError() {
        return error;
    }
}
