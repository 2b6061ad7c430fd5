package dev.postern.app.webhook;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 over id, time and body, as the Standard Webhooks specification writes it. */
final class Signature {
    private static final byte[] PREFIX = "whsec_".getBytes(StandardCharsets.US_ASCII);

    private Signature() {}

    /**
     * The {@code webhook-signature} header.
     *
     * @param secret {@code whsec_} and base64, else the key's very bytes; stays the caller's
     */
    static String of(String id, long epochSeconds, byte[] body, SecretValue secret) {
        byte[] key = key(secret);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + epochSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private static byte[] key(SecretValue secret) {
        byte[] text = secret.reveal(Reveal.TO_SEAL);
        if (text.length <= PREFIX.length || !Arrays.equals(text, 0, PREFIX.length, PREFIX, 0, PREFIX.length)) {
            return text;
        }
        byte[] encoded = Arrays.copyOfRange(text, PREFIX.length, text.length);
        try {
            byte[] key = Base64.getDecoder().decode(encoded);
            Arrays.fill(text, (byte) 0);
            return key;
        } catch (IllegalArgumentException e) {
            return text; // not base64 after all
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }
}
