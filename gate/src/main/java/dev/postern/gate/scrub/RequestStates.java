package dev.postern.gate.scrub;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Handles for what modern servers want echoed (S1). A server's {@code requestState} must come back as it was, so it cannot
 * be scrubbed; the agent gets it sealed instead: AES-256-GCM under a key of this process, bound to user and server, good
 * for an hour. Nothing is kept but which handles have been used to continue an approved call: each does so once (P5, P7).
 * Thread-safe.
 */
public final class RequestStates {
    /** How long an agent may take to come back. */
    public static final Duration LIFETIME = Duration.ofHours(1);

    private static final String PREFIX = "postern.";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int MAX_USED = 100_000;

    private final SecretKey key;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Instant> used = new ConcurrentHashMap<>();

    /** A new key: handles of another process, or of this one before it started anew, do not open. */
    public RequestStates(InstantSource clock) {
        this.clock = clock;
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, "AES");
    }

    /**
     * A key that outlives the process. Which handles were used is forgotten with it, so none of these may continue an approved call.
     *
     * @param key 32 bytes; the caller wipes them
     */
    public RequestStates(InstantSource clock, byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key has 32 bytes");
        }
        this.clock = clock;
        this.key = new SecretKeySpec(key, "AES");
    }

    /**
     * What a handle stood for.
     *
     * @param state the server's own state as the JSON string token it sent; empty if it sent none
     * @param continuation the approved call that this handle may continue, once; empty if none, or if it has done so
     */
    public record Opened(byte[] state, String continuation) {
        /** Whether the server had a state of its own. */
        public boolean hasState() {
            return state.length > 0;
        }

        @Override
        public String toString() {
            return "Opened[" + state.length + " bytes]";
        }
    }

    /** Seals a state. {@code continuation} names the approved call it belongs to, or is empty. */
    String seal(byte[] state, String user, String server, String continuation) {
        byte[] name = continuation.getBytes(StandardCharsets.UTF_8);
        ByteBuffer plain = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + name.length + state.length);
        plain.putLong(clock.instant().plus(LIFETIME).toEpochMilli())
                .putInt(name.length)
                .put(name)
                .put(state);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, user, server).doFinal(plain.array());
            byte[] handle = ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
            return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(handle);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    /** Whether a text looks like a handle of ours. */
    public static boolean isHandle(String text) {
        return text.startsWith(PREFIX);
    }

    /** Opens a handle; empty if it is none of ours, another user's or server's, or too old. */
    public Optional<Opened> open(String handle, String user, String server) {
        if (!isHandle(handle)) {
            return Optional.empty();
        }
        try {
            ByteBuffer sealed = ByteBuffer.wrap(Base64.getUrlDecoder().decode(handle.substring(PREFIX.length())));
            byte[] nonce = new byte[NONCE_BYTES];
            sealed.get(nonce);
            byte[] rest = new byte[sealed.remaining()];
            sealed.get(rest);
            ByteBuffer plain = ByteBuffer.wrap(
                    cipher(Cipher.DECRYPT_MODE, nonce, user, server).doFinal(rest));
            Instant until = Instant.ofEpochMilli(plain.getLong());
            if (!clock.instant().isBefore(until)) {
                return Optional.empty();
            }
            byte[] name = new byte[plain.getInt()];
            plain.get(name);
            byte[] state = new byte[plain.remaining()];
            plain.get(state);
            String continuation = new String(name, StandardCharsets.UTF_8);
            return Optional.of(
                    new Opened(state, !continuation.isEmpty() && firstUse(handle, until) ? continuation : ""));
        } catch (GeneralSecurityException | IllegalArgumentException | java.nio.BufferUnderflowException e) {
            return Optional.empty();
        }
    }

    private boolean firstUse(String handle, Instant until) {
        if (used.size() >= MAX_USED) {
            Instant now = clock.instant();
            used.values().removeIf(end -> !now.isBefore(end));
            if (used.size() >= MAX_USED) {
                return false; // then a person is asked again
            }
        }
        return used.putIfAbsent(handle, until) == null;
    }

    private Cipher cipher(int mode, byte[] nonce, String user, String server) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((user.length() + ":" + user + server).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
