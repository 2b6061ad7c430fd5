package dev.postern.gate.scrub;

import java.nio.charset.StandardCharsets;

/** Lets tests of the protocol see what came in, which nothing outside this package may. */
public final class Opened {
    private Opened() {}

    public static byte[] bytes(Raw raw) {
        return raw.bytes();
    }

    /** One character a byte. */
    public static String text(Raw raw) {
        return new String(raw.bytes(), StandardCharsets.ISO_8859_1);
    }
}
