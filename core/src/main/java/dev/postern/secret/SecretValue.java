package dev.postern.secret;

import static java.util.Objects.requireNonNull;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Secret bytes, UTF-8 where they are text. Copied on the way in and out, wiped on close. Equality is identity: values
 * are never compared by collections. Not a record: a record would show its component in {@code toString}.
 *
 * <p>Thread-safe. After {@link #close()} every read fails.
 */
public final class SecretValue implements AutoCloseable {
    private final byte[] bytes;
    private boolean closed;

    /** Copies {@code bytes}; the caller still owns, and should wipe, its own array. */
    public SecretValue(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** A copy of the bytes, which the caller wipes when done. */
    public synchronized byte[] reveal(Reveal reason) {
        requireNonNull(reason);
        if (closed) {
            throw new IllegalStateException("the secret value is closed");
        }
        return bytes.clone();
    }

    /** A second holder of the same bytes, closed on its own. */
    public synchronized SecretValue copy() {
        if (closed) {
            throw new IllegalStateException("the secret value is closed");
        }
        return new SecretValue(bytes);
    }

    /** Whether another holds the same bytes, such as a passphrase typed twice. Constant time in the bytes. */
    public boolean sameAs(SecretValue other) {
        byte[] copy = other.reveal(Reveal.TO_SEAL);
        try {
            synchronized (this) {
                if (closed) {
                    throw new IllegalStateException("the secret value is closed");
                }
                return MessageDigest.isEqual(bytes, copy);
            }
        } finally {
            Arrays.fill(copy, (byte) 0);
        }
    }

    /** Length in characters, where the bytes are UTF-8: for rules on how long something must be. */
    public synchronized int characters() {
        int characters = 0;
        for (byte b : bytes) {
            if ((b & 0xC0) != 0x80) {
                characters++;
            }
        }
        return characters;
    }

    /** Length in bytes; not secret by itself, but not for logs either. */
    public int length() {
        return bytes.length;
    }

    /** Wipes the bytes. Idempotent. */
    @Override
    public synchronized void close() {
        Arrays.fill(bytes, (byte) 0);
        closed = true;
    }

    @Override
    public String toString() {
        return "SecretValue[hidden]";
    }
}
