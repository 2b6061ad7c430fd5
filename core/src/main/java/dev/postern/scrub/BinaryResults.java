package dev.postern.scrub;

/** What becomes of image, audio and blob payloads (S5). */
public enum BinaryResults {
    /** They are searched decoded, and replaced by a text block only where a value is found. */
    SCAN,
    /** Each is replaced by a text block that says so. */
    DROP
}
