package dev.postern.app.cli;

import dev.postern.secret.SecretValue;
import java.io.Console;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The operator's passphrase: from {@code POSTERN_PASSPHRASE}, else from a hidden prompt where a person sits at a terminal. */
final class PassphraseInput {
    static final String VARIABLE = "POSTERN_PASSPHRASE";

    private PassphraseInput() {}

    /** The passphrase, or null where nobody can say it. */
    static @Nullable SecretValue ask() {
        SecretValue given = ofEnvironment();
        return given != null ? given : prompt("Passphrase: ");
    }

    private static @Nullable SecretValue ofEnvironment() {
        String text = System.getenv(VARIABLE);
        if (text == null || text.isEmpty()) {
            return null;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            return new SecretValue(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @SuppressWarnings("SystemConsoleNull") // JDK 25 is back at null where a stream is redirected
    static @Nullable SecretValue prompt(String text) {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            return null;
        }
        char[] typed = console.readPassword("%s", text);
        return typed == null ? null : ValueInput.encode(typed);
    }
}
