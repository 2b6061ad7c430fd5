package dev.postern.gate.scrub;

/**
 * What a server sent, unread: one whole JSON-RPC message, or a line of its stderr. Only this package sees the bytes, so
 * whatever wants to pass them on must have them scrubbed first.
 */
public final class Raw {
    private final byte[] bytes;

    private Raw(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes the array over; the caller must not keep it. */
    public static Raw received(byte[] bytes) {
        return new Raw(bytes);
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "Raw[" + bytes.length + " bytes]";
    }
}
