package dev.postern.detect;

import java.nio.charset.StandardCharsets;

/** UTF-8 that may have been cut or damaged on its way here. */
final class Utf8 {
    private Utf8() {}

    /** The same array if it is all ASCII; else the bytes of the string it decodes to, so that both count alike. */
    static byte[] wellFormed(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
            }
        }
        return bytes;
    }
}
