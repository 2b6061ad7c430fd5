package dev.postern.reference;

/**
 * References that refuse the call (R4, R6, R7, R11). Says where and why, in phrases fixed beforehand: never the
 * candidate text, and never a value. Cheap to throw: it has no stack trace.
 */
public final class ReferenceException extends RuntimeException {
    /** The codes an agent sees. */
    public enum Code {
        /** A reference cannot be turned into the value it stands for. */
        SECRET_UNRESOLVED
    }

    private static final int MAX_POINTER_LENGTH = 1024;

    private final Code code;
    private final String pointer;
    private final int offset;
    private final int length;
    private final String reason;

    ReferenceException(String pointer, int offset, int length, String reason) {
        super(null, null, false, false);
        this.code = Code.SECRET_UNRESOLVED;
        this.pointer =
                pointer.length() <= MAX_POINTER_LENGTH ? pointer : pointer.substring(0, MAX_POINTER_LENGTH) + "…";
        this.offset = offset;
        this.length = length;
        this.reason = reason;
    }

    /** About the arguments as a whole, or a value without a place. */
    ReferenceException(String reason) {
        this("", 0, 0, reason);
    }

    ReferenceException within(String string) {
        return new ReferenceException(string, offset, length, reason);
    }

    /** About one reference; offset and length are those of the reference in its decoded string. */
    ReferenceException within(Placement placement) {
        byte[] text = placement.token().text();
        int before = RawOffsets.characters(text, placement.token().start() + 1, placement.start());
        int within = RawOffsets.characters(text, placement.start(), placement.end());
        return new ReferenceException(placement.pointer(), before, within, reason);
    }

    public Code code() {
        return code;
    }

    /**
     * JSON Pointer (RFC 6901) of the string that holds the offending text; where it stands in a member's name, of the
     * object that has the member. Empty for the whole of the arguments, and where there is no JSON. Cut, with an
     * ellipsis, where it is longer than 1,024 characters.
     */
    public String pointer() {
        return pointer;
    }

    /** Where the offending text starts, in characters (UTF-16 code units) of the decoded string. */
    public int offset() {
        return offset;
    }

    /** How long the offending text is, in characters of the decoded string; 0 if it is about no text. */
    public int length() {
        return length;
    }

    /** One of a fixed set of phrases, such as {@code "the reference is not closed"}. */
    public String reason() {
        return reason;
    }

    /** Reason and place, for example {@code "the reference is not closed (at /a, offset 3, length 12)"}. */
    @Override
    public String getMessage() {
        if (length == 0) {
            return reason;
        }
        return reason + " (at " + (pointer.isEmpty() ? "the top" : pointer) + ", offset " + offset + ", length "
                + length + ")";
    }
}
