package dev.postern.gate.link;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * What opens one link: 256 random bits. Only its hash is kept (O3). Not a record: a record would show the bits in
 * {@code toString}.
 */
public final class LinkToken {
    private static final int BYTES = 32;
    private static final int TEXT_LENGTH = 43;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] bytes;

    private LinkToken(byte[] bytes) {
        this.bytes = bytes;
    }

    public static LinkToken random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new LinkToken(bytes);
    }

    /** Reads what {@link #text()} wrote; empty for anything else, another spelling of the same bits included. */
    public static Optional<LinkToken> parse(String text) {
        if (text.length() != TEXT_LENGTH) {
            return Optional.empty();
        }
        try {
            LinkToken token = new LinkToken(Base64.getUrlDecoder().decode(text));
            return token.text().equals(text) ? Optional.of(token) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** As it stands in a link: base64url without padding. */
    String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** What is kept instead of the token: SHA-256, which 256 random bits need no salt for. */
    public byte[] hash() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** A copy of the bits, for the store to derive a key from. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return "LinkToken[hidden]";
    }
}
