package dev.postern.gate.detect;

import java.util.List;

/** JSON that was looked through. Not a record: an array's contents would not count in its equality. */
public final class Screened {
    private final byte[] json;
    private final List<Detected> found;

    Screened(byte[] json, List<Detected> found) {
        this.json = json;
        this.found = List.copyOf(found);
    }

    /** The JSON; the very array that was given, if nothing was replaced. */
    public byte[] json() {
        return json;
    }

    /** What was found, in order. */
    public List<Detected> found() {
        return found;
    }

    /** Says what was found, not the JSON. */
    @Override
    public String toString() {
        return "Screened" + found;
    }
}
