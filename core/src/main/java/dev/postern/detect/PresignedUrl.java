package dev.postern.detect;

/**
 * The parameters that make a URL a presigned one: {@code X-Amz-…} of AWS and those who speak its protocol,
 * {@code X-Goog-…} of Google Cloud Storage. Such a URL is made to be handed out, is good for one object and a short time,
 * and useless in parts; the key id in it is no secret. So its parameters are let be (D6).
 */
final class PresignedUrl {
    private static final byte[][] PREFIXES = {Ascii.bytes("x-amz-"), Ascii.bytes("x-goog-")};
    private static final int MAX_NAME = 32;

    private PresignedUrl() {}

    /** Whether what begins at {@code start} is the value of such a parameter. */
    static boolean hasParameterAt(byte[] text, int start) {
        int at = start - 1;
        if (at < 0 || text[at] != '=') {
            return false;
        }
        int nameEnd = at;
        while (at > 0 && nameEnd - at < MAX_NAME && (Ascii.isAlphanumeric(text[at - 1]) || text[at - 1] == '-')) {
            at--;
        }
        if (at == 0 || (text[at - 1] != '?' && text[at - 1] != '&' && text[at - 1] != ';')) {
            return false;
        }
        for (byte[] prefix : PREFIXES) {
            if (Ascii.regionMatches(text, at, nameEnd, prefix)) {
                return true;
            }
        }
        return false;
    }
}
