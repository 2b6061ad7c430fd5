package dev.postern.scrub;

import static java.util.Objects.requireNonNull;

import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;

/**
 * A value that must not be seen, and the text that stands in its place (S7). The value stays owned by whoever made it:
 * a {@link Scrubber} reads it once, when it is built.
 */
public final class LiveSecret {
    private final String placeholder;
    private final SecretValue value;

    /**
     * @param placeholder what is put where the value stood, such as {@code {{vault:db}}}; never scanned again (S6)
     * @param value the value, UTF-8 where it is text
     */
    public LiveSecret(String placeholder, SecretValue value) {
        this.placeholder = requireNonNull(placeholder);
        this.value = requireNonNull(value);
    }

    /** The value a reference was resolved to; in its place goes {@link Reference#placeholder()}. */
    public static LiveSecret of(Reference reference, SecretValue value) {
        return new LiveSecret(reference.placeholder(), value);
    }

    /** What is put where the value stood. */
    public String placeholder() {
        return placeholder;
    }

    /** The value itself, still closed to whoever holds no reason to read it. */
    public SecretValue value() {
        return value;
    }

    @Override
    public String toString() {
        return "LiveSecret[" + placeholder + "]";
    }
}
