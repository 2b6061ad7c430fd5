package dev.postern.json;

/**
 * Bytes that are not the JSON text they should be. Carries a byte offset and a static reason, never the text itself,
 * which may hold a secret.
 */
public final class JsonException extends RuntimeException {
    private final int offset;
    private final String reason;

    JsonException(int offset, String reason) {
        super(reason + " at byte " + offset, null, false, false);
        this.offset = offset;
        this.reason = reason;
    }

    /** Where the text stops being valid, in bytes from its start. */
    public int offset() {
        return offset;
    }

    /** One of a fixed set of phrases, such as {@code "a string is not closed"}. */
    public String reason() {
        return reason;
    }
}
