package dev.postern.reference;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Whether secret bytes are text. */
final class Utf8 {
    private Utf8() {}

    /** Whether the bytes are well-formed UTF-8 (RFC 3629). Decodes through a small buffer that is wiped. */
    static boolean isValid(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        char[] buffer = new char[256];
        CharBuffer characters = CharBuffer.wrap(buffer);
        ByteBuffer input = ByteBuffer.wrap(bytes);
        try {
            while (true) {
                CoderResult result = decoder.decode(input, characters, true);
                if (result.isError()) {
                    return false;
                }
                if (result.isUnderflow()) {
                    return true;
                }
                characters.clear();
            }
        } finally {
            Arrays.fill(buffer, '\0');
        }
    }
}
