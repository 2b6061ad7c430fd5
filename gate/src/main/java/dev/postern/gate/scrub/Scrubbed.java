package dev.postern.gate.scrub;

import dev.postern.gate.detect.Detected;
import java.util.List;

/** Server bytes after the choke point: safe for the agent. Made by {@link ChokePoint} only. */
public final class Scrubbed {
    private final byte[] bytes;
    private final int hits;
    private final List<Detected> detected;

    Scrubbed(byte[] bytes, int hits) {
        this(bytes, hits, List.of());
    }

    Scrubbed(byte[] bytes, int hits, List<Detected> detected) {
        this.bytes = bytes;
        this.hits = hits;
        this.detected = List.copyOf(detected);
    }

    /** The message; the very array that was received when nothing was found (S11). Read only. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many times a value was taken out. */
    public int hits() {
        return hits;
    }

    /** Secrets nobody told us about that were found in it, and what became of them (D6). */
    public List<Detected> detected() {
        return detected;
    }
}
