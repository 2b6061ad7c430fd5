package dev.postern.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a child's output into lines. Keeps a line up to a limit; of a longer one it keeps nothing, but shows all of it to
 * a {@link TopLevelScan}. Used by one thread.
 */
final class LineReader {
    private static final int CHUNK_BYTES = 64 << 10;
    /** A line buffer larger than this is given back once its line is complete. */
    private static final int KEPT_BYTES = 1 << 20;

    private final InputStream input;
    private final int maxLineBytes;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private byte[] line = new byte[0];
    private int length;
    private @Nullable TopLevelScan oversized;

    LineReader(InputStream input, int maxLineBytes) {
        this.input = input;
        this.maxLineBytes = maxLineBytes;
    }

    /** What becomes of the lines. */
    interface Sink {
        /** A line that is not empty, without its line end. The array is the sink's. */
        void line(byte[] line);

        /** A line longer than the limit. */
        void oversized(TopLevelScan scan);
    }

    /** Reads to the end of the stream. A last line without a line end counts. */
    void readAll(Sink sink) throws IOException {
        for (int read; (read = input.read(chunk)) >= 0; ) {
            int from = 0;
            for (int i = 0; i < read; i++) {
                if (chunk[i] == '\n') {
                    append(from, i);
                    complete(sink);
                    from = i + 1;
                }
            }
            append(from, read);
        }
        complete(sink);
    }

    private void append(int from, int to) {
        int added = to - from;
        if (oversized != null) {
            oversized.read(chunk, from, to);
        } else if (added > maxLineBytes - length) {
            oversized = new TopLevelScan();
            oversized.read(line, 0, length);
            oversized.read(chunk, from, to);
            line = new byte[0];
            length = 0;
        } else if (added > 0) {
            if (length + added > line.length) {
                line = Arrays.copyOf(line, Math.min(maxLineBytes, Math.max(length + added, line.length * 2)));
            }
            System.arraycopy(chunk, from, line, length, added);
            length += added;
        }
    }

    private void complete(Sink sink) {
        TopLevelScan scan = oversized;
        if (scan != null) {
            oversized = null;
            sink.oversized(scan);
            return;
        }
        int end = length;
        length = 0;
        while (end > 0 && line[end - 1] == '\r') {
            end--;
        }
        if (end > 0) {
            sink.line(Arrays.copyOf(line, end));
        }
        if (line.length > KEPT_BYTES) {
            line = new byte[0];
        }
    }
}
