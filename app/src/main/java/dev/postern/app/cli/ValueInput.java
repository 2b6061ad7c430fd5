package dev.postern.app.cli;

import dev.postern.secret.SecretValue;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a secret value from standard input or a hidden prompt, as bytes: it never becomes a {@code String}. */
final class ValueInput {
    /** More than a vault takes, so that the vault can say how much is too much. */
    private static final int MAX_BYTES = 64 * 1024;

    private ValueInput() {}

    /**
     * Reads one value: asks for it where a person sits at the terminal, else reads standard input to its end.
     *
     * @param raw keep a trailing newline, which is otherwise dropped
     */
    @SuppressWarnings("SystemConsoleNull") // JDK 25 is back at null where a stream is redirected
    static SecretValue read(String prompt, boolean raw) throws IOException {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            char[] typed = console.readPassword("%s", prompt);
            return encode(typed == null ? new char[0] : typed);
        }
        return drain(System.in, raw);
    }

    static SecretValue encode(char[] typed) {
        byte[] room = new byte[typed.length * 3];
        ByteBuffer encoded = ByteBuffer.wrap(room);
        var _ = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(typed), encoded, true);
        byte[] bytes = Arrays.copyOf(room, encoded.position());
        try {
            return new SecretValue(bytes);
        } finally {
            Arrays.fill(typed, '\0');
            Arrays.fill(bytes, (byte) 0);
            Arrays.fill(room, (byte) 0);
        }
    }

    static SecretValue drain(InputStream in, boolean raw) throws IOException {
        byte[] buffer = new byte[MAX_BYTES];
        byte[] value = buffer;
        try {
            int length = in.readNBytes(buffer, 0, buffer.length);
            if (!raw && length > 0 && buffer[length - 1] == '\n') {
                length -= length > 1 && buffer[length - 2] == '\r' ? 2 : 1;
            }
            value = Arrays.copyOf(buffer, length);
            return new SecretValue(value);
        } finally {
            Arrays.fill(buffer, (byte) 0);
            Arrays.fill(value, (byte) 0);
        }
    }
}
