package dev.postern.app.control;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads lines and counted frames from one stream. Frames may be secret: nothing of them stays in the buffer. */
final class Lines {
    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[8192];
    private int at;
    private int limit;

    Lines(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /** The next line without its end, or null at the end of the stream. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        while (true) {
            if (at == limit && !fill()) {
                return line.size() == 0 ? null : line.toByteArray();
            }
            int end = at;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            line.write(buffer, at, end - at);
            at = end;
            if (line.size() > maxLineBytes) {
                throw new IOException("a line is longer than " + maxLineBytes + " bytes");
            }
            if (at < limit) {
                at++;
                return line.toByteArray();
            }
        }
    }

    /** Exactly {@code length} bytes. */
    byte[] frame(int length) throws IOException {
        byte[] frame = new byte[length];
        int buffered = Math.min(length, limit - at);
        System.arraycopy(buffer, at, frame, 0, buffered);
        Arrays.fill(buffer, at, at + buffered, (byte) 0);
        at += buffered;
        if (in.readNBytes(frame, buffered, length - buffered) < length - buffered) {
            throw new EOFException("the stream ends inside a frame");
        }
        return frame;
    }

    /** Blocks until the other side sends more or ends; true if it ended. */
    boolean hungUp() {
        try {
            return at == limit && !fill();
        } catch (IOException e) {
            return true;
        }
    }

    private boolean fill() throws IOException {
        int read = in.read(buffer);
        at = 0;
        limit = Math.max(read, 0);
        return read > 0;
    }
}
