package dev.postern.app.run;

import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubber;
import dev.postern.scrub.TextScrubber;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Moves a stream through a scrubber, chunk by chunk as it comes. What the scrubber holds back, because it could become part
 * of a value, is let go when nothing came for {@link #IDLE}: a prompt without a line end is there before the person
 * notices. What that means for a value whose writer pauses in its midst, {@link TextScrubber} says.
 *
 * <p>Reading and writing block, so this is for platform threads: the caller's reads, one of its own watches the clock.
 */
public final class ScrubbingPump {
    /** Less than the 100 ms that nothing may be withheld for, so that a busy machine keeps that too. */
    private static final Duration IDLE = Duration.ofMillis(80);

    /** What drips, such as a progress bar, is never idle, and is shown at least this often. */
    private static final Duration LATEST = Duration.ofMillis(250);

    private static final int CHUNK_BYTES = 64 * 1024;

    private final InputStream in;
    private final Counting written;
    private final TextScrubber out;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock, as the next three. */
    private long arrivedNanos;

    private long heldSinceNanos;

    private boolean ended;
    private @Nullable Exception failure;

    /** Neither stream is closed. */
    public ScrubbingPump(InputStream in, Scrubber scrubber, OutputStream out) {
        this.in = in;
        this.written = new Counting(out);
        this.out = scrubber.text(written);
    }

    /**
     * Moves everything, to the end of the stream.
     *
     * @throws IOException if one side cannot be read, or the other takes no more
     * @throws ScrubFailedException if something cannot be scrubbed; it was not passed on
     */
    public void move() throws IOException {
        Thread clock = Thread.ofPlatform().daemon().name("scrub-idle").start(this::letGoWhenIdle);
        byte[] chunk = new byte[CHUNK_BYTES];
        // Closing wipes what the scrubber still has in sight, and leaves our streams open.
        try (TextScrubber closing = out) {
            try {
                for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                    pass(chunk, read);
                }
            } finally {
                Arrays.fill(chunk, (byte) 0);
                end(clock);
            }
            throwFailure();
            closing.flush();
        }
    }

    private void end(Thread clock) throws IOException {
        lock.lock();
        try {
            ended = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        try {
            clock.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void pass(byte[] chunk, int length) throws IOException {
        lock.lock();
        try {
            throwFailure();
            boolean held = out.holdsBack();
            long before = written.bytes;
            out.write(chunk, 0, length);
            arrivedNanos = System.nanoTime();
            if (!held || written.bytes != before) {
                heldSinceNanos = arrivedNanos;
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void letGoWhenIdle() {
        lock.lock();
        try {
            while (!ended) {
                if (!out.holdsBack()) {
                    changed.awaitUninterruptibly();
                    continue;
                }
                long now = System.nanoTime();
                long left = Math.min(IDLE.toNanos() - (now - arrivedNanos), LATEST.toNanos() - (now - heldSinceNanos));
                if (left > 0) {
                    long _ = changed.awaitNanos(left);
                } else {
                    out.flush();
                }
            }
        } catch (IOException | ScrubFailedException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void throwFailure() throws IOException {
        switch (failure) {
            case IOException broken -> throw broken;
            case ScrubFailedException unscrubbed -> throw unscrubbed;
            case null, default -> {}
        }
    }

    /** How much went out. */
    public long bytes() {
        return written.bytes;
    }

    /** How many places were replaced. */
    public int hits() {
        return out.hits();
    }

    private static final class Counting extends FilterOutputStream {
        private volatile long bytes;

        Counting(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // Written under the pump's lock, or when its clock has stopped.
        public void write(byte[] from, int offset, int length) throws IOException {
            out.write(from, offset, length);
            bytes += length;
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
