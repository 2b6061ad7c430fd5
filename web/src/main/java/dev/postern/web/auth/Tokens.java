package dev.postern.web.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Tokens of 256 random bits, and the hashes by which they are found. A plain hash is enough: there is nothing to guess. */
final class Tokens {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;

    private Tokens() {}

    static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static byte[] hash(String token) {
        return sha256("postern token " + token);
    }

    /** What pages send back: follows from the session's token, and the token does not follow from it. */
    static String formToken(String token) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256("postern form " + token));
    }

    /** For one purpose: follows from a secret, and the secret does not follow from it. */
    static String derived(String purpose, String secret) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256("postern " + purpose + " " + secret));
    }

    /** RFC 7636, S256. */
    static String challenge(String verifier) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(verifier));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256");
        }
    }
}
