package dev.postern.app.wiring;

import dev.postern.scrub.ScrubFailedException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * Standard error with every line scrubbed before it leaves, while a gateway runs: no line of our log, of a library's, or of
 * a stack trace shows a value, whoever wrote it.
 */
final class LogScrubbing implements AutoCloseable {
    private final PrintStream before;

    /**
     * Stands before standard error from now on.
     *
     * @param clean takes values out of text
     */
    LogScrubbing(UnaryOperator<byte[]> clean) {
        before = System.err;
        System.setErr(new PrintStream(new Lines(before, clean), true, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        System.err.flush();
        System.setErr(before);
    }

    /** What was written since the last flush is scrubbed as one text: the log flushes after each event. */
    private static final class Lines extends FilterOutputStream {
        private static final byte[] WITHHELD =
                "a line of the log could not be scrubbed and was withheld\n".getBytes(StandardCharsets.UTF_8);

        private final UnaryOperator<byte[]> clean;
        private byte[] held = new byte[1024];
        private int length;

        Lines(OutputStream out, UnaryOperator<byte[]> clean) {
            super(out);
            this.clean = clean;
        }

        @Override
        public synchronized void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int count) {
            if (length + count > held.length) {
                byte[] grown = Arrays.copyOf(held, Math.max(held.length * 2, length + count));
                Arrays.fill(held, (byte) 0);
                held = grown;
            }
            System.arraycopy(bytes, offset, held, length, count);
            length += count;
        }

        @Override
        public synchronized void flush() throws IOException {
            int end = length;
            while (end > 0 && held[end - 1] != '\n') {
                end--;
            }
            if (end == 0) {
                return;
            }
            byte[] lines = Arrays.copyOf(held, end);
            System.arraycopy(held, end, held, 0, length - end);
            Arrays.fill(held, length - end, length, (byte) 0);
            length -= end;
            byte[] scrubbed;
            try {
                scrubbed = clean.apply(lines);
            } catch (ScrubFailedException e) {
                scrubbed = WITHHELD;
            }
            out.write(scrubbed);
            out.flush();
        }
    }
}
