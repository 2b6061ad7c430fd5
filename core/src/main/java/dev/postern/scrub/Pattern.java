package dev.postern.scrub;

import java.util.Arrays;

/**
 * A sequence of bytes that betrays a value once a text's escapes are read: the value itself, a line of it, or what
 * base64 or hex make of it.
 */
final class Pattern {
    /** How the bytes relate to the value. */
    enum Kind {
        /** The value, in canonically decomposed Unicode with line feeds for line ends. */
        PLAIN,
        /** Base64 characters that the value alone determines; their neighbours may carry bits of it too. */
        BASE64,
        /** Hex digits. */
        HEX
    }

    /** A length no text reaches. */
    static final int NEVER = Integer.MAX_VALUE;

    private final byte[] bytes;
    private final Kind kind;
    private final Target target;
    private final int part;
    private final int leadBits;
    private final int lead;
    private final int trailBits;
    private final int trail;

    private Pattern(
            byte[] bytes, Kind kind, Target target, int part, int leadBits, int lead, int trailBits, int trail) {
        this.bytes = bytes;
        this.kind = kind;
        this.target = target;
        this.part = part;
        this.leadBits = leadBits;
        this.lead = lead;
        this.trailBits = trailBits;
        this.trail = trail;
    }

    /** @param part how many bytes at an edge of a string betray the value there (S15), or {@link #NEVER} */
    static Pattern plain(byte[] bytes, Target target, int part) {
        return new Pattern(bytes, Kind.PLAIN, target, part, 0, 0, 0, 0);
    }

    static Pattern hex(byte[] bytes, Target target, int part) {
        return new Pattern(bytes, Kind.HEX, target, part, 0, 0, 0, 0);
    }

    static Pattern base64(byte[] bytes, Target target, int part, int leadBits, int lead, int trailBits, int trail) {
        return new Pattern(bytes, Kind.BASE64, target, part, leadBits, lead, trailBits, trail);
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return bytes.length;
    }

    Kind kind() {
        return kind;
    }

    Target target() {
        return target;
    }

    /** How many bytes of it at an edge of a string betray the value there (S15). */
    int part() {
        return part;
    }

    /** How many low bits of the character before are the value's. */
    int leadBits() {
        return leadBits;
    }

    /** Whether the base64 character before can be the value's. */
    boolean leadFits(int sextet) {
        return (sextet & ((1 << leadBits) - 1)) == lead;
    }

    /** How many high bits of the character after are the value's. */
    int trailBits() {
        return trailBits;
    }

    /** Whether the base64 character after can be the value's. */
    boolean trailFits(int sextet) {
        return sextet >> (6 - trailBits) == trail;
    }

    void wipe() {
        Arrays.fill(bytes, (byte) 0);
    }
}
