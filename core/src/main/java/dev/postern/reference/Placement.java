package dev.postern.reference;

import dev.postern.json.JsonValue;

/**
 * Where one reference stands.
 *
 * @param pointer JSON Pointer (RFC 6901) of the string that holds it
 * @param token that string
 * @param start offset of the reference's first byte in {@code token.text()}, escapes as they are
 * @param end offset just past its last byte
 * @param reference what it asks for
 */
public record Placement(String pointer, JsonValue token, int start, int end, Reference reference) {
    /** Whether the string is this reference and nothing else (R11). */
    public boolean isWholeString() {
        return start == token.start() + 1 && end == token.end() - 1;
    }
}
