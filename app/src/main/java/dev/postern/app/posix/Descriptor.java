package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One open file descriptor of this process, which no child inherits. One thread may read, one write and one close at the
 * same time, all of them platform threads. What passes through leaves no copy behind.
 */
public final class Descriptor implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int INTERRUPTED = 4;
    private static final int INPUT_OUTPUT = 5;
    private static final short READABLE = 1;
    private static final int FOR_EVER = -1;

    private final int number;
    private final Arena memory = Arena.ofAuto();
    private boolean closed;

    Descriptor(int number) {
        this.number = number;
        LibC.keepFromChildren(number);
    }

    /** A pipe's two ends. */
    public record Pipe(Descriptor readEnd, Descriptor writeEnd) {
        /**
         * A new one.
         *
         * @throws PosixException if this process has too many descriptors
         */
        public static Pipe open() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment pair = arena.allocate(JAVA_INT, 2);
                if (LibC.pipe(pair) != 0) {
                    throw new PosixException("a pipe cannot be made");
                }
                return new Pipe(
                        new Descriptor(pair.getAtIndex(JAVA_INT, 0)), new Descriptor(pair.getAtIndex(JAVA_INT, 1)));
            }
        }
    }

    /** As the system numbers it. */
    int number() {
        return number;
    }

    /**
     * What comes out of it. The end is the end of the stream and, at a pseudo-terminal, the moment nobody has its other side
     * open any more.
     *
     * @param ending once this is readable or closed by its other side, the stream also ends as soon as nothing has come for
     *     {@code quietMillis}; null where it is read to its own end
     */
    public InputStream input(@Nullable Descriptor ending, int quietMillis) {
        return new Input(ending, quietMillis);
    }

    /** What goes into it, unbuffered. */
    public OutputStream output() {
        return new Output();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            LibC.close(number);
        }
    }

    @Override
    public String toString() {
        return "Descriptor[" + number + "]";
    }

    private final class Input extends InputStream {
        private final MemorySegment state = memory.allocate(LibC.CALL_STATE);
        private final MemorySegment buffer = memory.allocate(BUFFER_BYTES);
        private final MemorySegment waiting = memory.allocate(LibC.POLL_ENTRY, 2);
        private final @Nullable Descriptor ending;
        private final int quietMillis;
        private boolean isEnding;

        Input(@Nullable Descriptor ending, int quietMillis) {
            this.ending = ending;
            this.quietMillis = quietMillis;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (ending != null && !awaitMore(ending)) {
                return -1;
            }
            while (true) {
                long count = LibC.read(state, number, buffer, Math.min(length, BUFFER_BYTES));
                if (count > 0) {
                    MemorySegment.copy(buffer, JAVA_BYTE, 0, bytes, offset, (int) count);
                    buffer.asSlice(0, count).fill((byte) 0);
                    return (int) count;
                }
                // Linux tells of a pseudo-terminal's end by an error.
                if (count == 0 || LibC.errno(state) == INPUT_OUTPUT) {
                    return -1;
                }
                if (LibC.errno(state) != INTERRUPTED) {
                    throw new IOException("a stream cannot be read (error " + LibC.errno(state) + ")");
                }
            }
        }

        /** False once the end was announced and nothing came since. */
        private boolean awaitMore(Descriptor announcing) {
            while (!isEnding) {
                if (poll(announcing, 2, FOR_EVER) > 0) {
                    if (ready(0)) {
                        return true;
                    }
                    isEnding = ready(1);
                }
            }
            int found = poll(announcing, 1, quietMillis);
            while (found < 0) {
                found = poll(announcing, 1, quietMillis);
            }
            return found > 0;
        }

        private int poll(Descriptor announcing, int count, int millis) {
            waiting.set(JAVA_INT, 0, number);
            waiting.set(JAVA_INT, LibC.POLL_ENTRY.byteSize(), announcing.number);
            for (int i = 0; i < 2; i++) {
                waiting.set(JAVA_SHORT, i * LibC.POLL_ENTRY.byteSize() + 4, READABLE);
                waiting.set(JAVA_SHORT, i * LibC.POLL_ENTRY.byteSize() + 6, (short) 0);
            }
            return LibC.poll(state, waiting, count, millis);
        }

        /** Readable, ended or broken: reading tells which. */
        private boolean ready(int index) {
            return waiting.get(JAVA_SHORT, index * LibC.POLL_ENTRY.byteSize() + 6) != 0;
        }
    }

    private final class Output extends OutputStream {
        private final MemorySegment state = memory.allocate(LibC.CALL_STATE);
        private final MemorySegment buffer = memory.allocate(BUFFER_BYTES);

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int at = offset;
            while (at < offset + length) {
                int chunk = Math.min(offset + length - at, BUFFER_BYTES);
                MemorySegment.copy(bytes, at, buffer, JAVA_BYTE, 0, chunk);
                long written = LibC.write(state, number, buffer, chunk);
                buffer.asSlice(0, chunk).fill((byte) 0);
                if (written >= 0) {
                    at += (int) written;
                } else if (LibC.errno(state) != INTERRUPTED) {
                    throw new IOException("a stream cannot be written (error " + LibC.errno(state) + ")");
                }
            }
        }
    }
}
