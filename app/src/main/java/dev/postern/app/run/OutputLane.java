package dev.postern.app.run;

import dev.postern.app.posix.Descriptor;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubber;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** One stream of the child's output on its way to one of ours. */
final class OutputLane {
    /** How long a terminal must be quiet after the child's end until its output counts as complete. */
    private static final int QUIET_MILLIS = 200;

    private final Descriptor source;
    private final FileDescriptor target;
    private final Descriptor ending;
    private @Nullable ScrubbingPump pump;
    private @Nullable Thread mover;
    private volatile boolean unscrubbed;

    /** @param ending announces that the stream need not be waited for to its own end */
    OutputLane(Descriptor source, FileDescriptor target, Descriptor ending) {
        this.source = source;
        this.target = target;
        this.ending = ending;
    }

    void start(Scrubber scrubber) {
        ScrubbingPump made =
                new ScrubbingPump(source.input(ending, QUIET_MILLIS), scrubber, new FileOutputStream(target));
        pump = made;
        mover = Thread.ofPlatform().daemon().name("run-output").start(() -> move(made));
    }

    private void move(ScrubbingPump pump) {
        try {
            pump.move();
        } catch (IOException gone) {
            // Nobody reads us any more: the child is told as it would be without us, by a broken pipe.
        } catch (ScrubFailedException e) {
            unscrubbed = true;
        } finally {
            source.close();
        }
    }

    /** Waits until everything has been moved. */
    void join() throws InterruptedException {
        Thread thread = mover;
        if (thread != null) {
            thread.join();
        }
    }

    /** How much was written to our stream. */
    long bytes() {
        return pump == null ? 0 : pump.bytes();
    }

    /** How many places were replaced; known at the end. */
    int hits() {
        return pump == null ? 0 : pump.hits();
    }

    /** Whether something was withheld because it could not be scrubbed (S10). */
    boolean unscrubbed() {
        return unscrubbed;
    }
}
