package dev.postern.app.connect;

import dev.postern.app.control.ControlClient;
import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.posix.StandardOutput;
import dev.postern.secret.SecretValue;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Carries lines between this process's standard streams and the running gateway. */
public final class Connect {
    /** The variable that holds the agent's key. */
    public static final String KEY_VARIABLE = "POSTERN_AGENT_KEY";

    private static final int BUFFER_BYTES = 64 * 1024;

    private Connect() {}

    /** Runs until either side ends; returns the exit code. Failures are one sentence on standard error. */
    public static int run(Path dataDirectory) {
        try {
            bridge(dataDirectory);
            return ExitCode.DONE.number();
        } catch (ControlException e) {
            System.err.println("postern: " + e.getMessage());
            return e.exitCode().number();
        }
    }

    private static void bridge(Path dataDirectory) {
        String key = System.getenv(KEY_VARIABLE);
        if (key == null || key.isEmpty()) {
            throw new ControlException(
                    ExitCode.FAILED,
                    KEY_VARIABLE + " is not set; make an agent key with 'postern agent add NAME' and put it there.");
        }
        try (SecretValue credential = new SecretValue(key.getBytes(StandardCharsets.UTF_8));
                ControlClient.Stream gateway = new ControlClient(dataDirectory).open("connect", Map.of(), credential)) {
            Thread.ofPlatform().daemon().name("stdin").start(() -> {
                try {
                    copy(System.in, gateway.out());
                    gateway.endInput();
                    // Whoever has no more to say may be gone, and with it everyone who would read an answer.
                    StandardOutput.awaitUnread();
                    gateway.close();
                } catch (IOException e) {
                    // The gateway ended; the other direction notices.
                }
            });
            copy(gateway.in(), new UnbufferedOutput());
        } catch (IOException e) {
            throw new ControlException(ExitCode.FAILED, "the gateway ended.");
        }
    }

    /** Standard output, which tells when nobody reads it; {@link System#out} would not. */
    private static final class UnbufferedOutput extends OutputStream {
        private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                throw new ControlException(ExitCode.FAILED, "nobody reads what the gateway says.");
            }
        }
    }

    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            to.flush();
        }
    }
}
