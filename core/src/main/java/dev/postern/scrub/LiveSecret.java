package dev.postern.scrub;

import dev.postern.secret.SecretValue;

/** A value that must not be seen, and what stands in its place (S7). */
public final class LiveSecret {
    private final String placeholder;
    private final SecretValue value;

    public LiveSecret(String placeholder, SecretValue value) {
        this.placeholder = placeholder;
        this.value = value;
    }

    public String placeholder() {
        return placeholder;
    }

    public SecretValue value() {
        return value;
    }
}
