package dev.postern.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.Scrubber;
import dev.postern.secret.SecretValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream through the scrubber: the same answers as in one piece, and nothing withheld while somebody waits. */
@Timeout(300)
class ScrubbingPumpTest {
    private static final String VALUE = "S3cr3t/Value+99";

    private static Scrubber scrubber() {
        return Scrubber.of(List.of(new LiveSecret("{{vault:db}}", new SecretValue(VALUE.getBytes(UTF_8)))));
    }

    /** Gives its input a byte at a time, as fast as it is taken. */
    private static InputStream dripping(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, 1));
            }
        };
    }

    @Test
    void aValueInManyReadsIsFound() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Scrubber scrubber = scrubber()) {
            new ScrubbingPump(dripping("a " + VALUE + " b " + VALUE), scrubber, out).move();
        }
        assertThat(out.toString(UTF_8)).isEqualTo("a {{vault:db}} b {{vault:db}}");
    }

    @Test
    void aPromptThatMayBeginAValueIsLetGoWhileTheWriterWaits() throws Exception {
        try (PipedOutputStream writer = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(writer);
                PipedInputStream shown = new PipedInputStream();
                PipedOutputStream out = new PipedOutputStream(shown);
                Scrubber scrubber = scrubber()) {
            CompletableFuture<Boolean> moved = new CompletableFuture<>();
            Thread.ofPlatform().start(() -> {
                try {
                    new ScrubbingPump(in, scrubber, out).move();
                    moved.complete(true);
                } catch (IOException e) {
                    moved.completeExceptionally(e);
                }
            });
            // The end of the prompt is the beginning of the value.
            writer.write("Password: S3c".getBytes(UTF_8));
            writer.flush();
            assertThat(new String(shown.readNBytes(13), UTF_8)).isEqualTo("Password: S3c");
            writer.write("\n".getBytes(UTF_8));
            writer.close();
            assertThat(moved.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatDripsWithoutAPauseIsShownAllTheSame() throws Exception {
        CompletableFuture<Boolean> shown = new CompletableFuture<>();
        // Goes on until something has come out.
        InputStream dripping = new InputStream() {
            @Override
            public int read() {
                return '.';
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                try {
                    var _ = shown.get(10, TimeUnit.MILLISECONDS);
                    return -1;
                } catch (TimeoutException e) {
                    bytes[offset] = '.';
                    return 1;
                } catch (InterruptedException | ExecutionException e) {
                    throw new AssertionError(e);
                }
            }
        };
        OutputStream screen = new OutputStream() {
            @Override
            public void write(int b) {}

            @Override
            public void write(byte[] bytes, int offset, int length) {
                shown.complete(true);
            }
        };
        try (Scrubber scrubber = scrubber()) {
            ScrubbingPump pump = new ScrubbingPump(dripping, scrubber, screen);
            pump.move();
            assertThat(pump.bytes()).isPositive();
        }
    }

    @Test
    void whoReadsNoMoreEndsIt() {
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("gone");
            }
        };
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                bytes[offset] = 'x';
                return 1;
            }
        };
        try (Scrubber scrubber = Scrubber.of(List.of())) {
            assertThatThrownBy(() -> new ScrubbingPump(endless, scrubber, gone).move())
                    .isInstanceOf(IOException.class);
        }
    }
}
