package dev.postern.gate.detect;

import java.util.Locale;

/** What becomes of a secret that nobody told us about (D6). */
public enum DetectionMode {
    /** Nothing is looked for. */
    OFF,
    /** It passes, and the ledger says that it did. */
    REPORT,
    /** {@code [REDACTED:<category>]} stands in its place. */
    MASK,
    /** A reference stands in its place; the value is kept in memory for the agent to pass on, under approval. */
    CAPTURE;

    /** The name in files. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The mode with this label.
     *
     * @throws IllegalArgumentException if there is none; the message lists those there are
     */
    public static DetectionMode parse(String label) {
        for (DetectionMode mode : values()) {
            if (mode.label().equals(label)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("the mode is \"off\", \"report\", \"mask\" or \"capture\"");
    }
}
