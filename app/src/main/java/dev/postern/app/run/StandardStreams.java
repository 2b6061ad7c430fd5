package dev.postern.app.run;

import dev.postern.app.posix.ChildStreams;
import dev.postern.app.posix.ChildStreams.Sink;
import dev.postern.app.posix.Descriptor;
import dev.postern.app.posix.PseudoTerminal;
import dev.postern.app.posix.Terminal;
import dev.postern.scrub.Scrubber;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Our three standard streams, the child's, and what moves between them.
 *
 * <p>Where our input and output are a terminal, the child gets a pseudo-terminal of its own and ours goes raw: everything typed,
 * interrupts included, is the child's business. Anywhere else it reads our input itself, directly. An output that is a
 * terminal is a pseudo-terminal for the child, so that it shows colours; one that is not is a pipe; so standard output and
 * standard error stay apart exactly where they were apart.
 */
final class StandardStreams implements AutoCloseable {
    private final Descriptor.Pipe childEnded = Descriptor.Pipe.open();
    private final Descriptor.Pipe hurried = Descriptor.Pipe.open();
    private final List<OutputLane> lanes = new ArrayList<>();
    private final List<Descriptor> childEnds = new ArrayList<>();
    private final List<PseudoTerminal> screens = new ArrayList<>();
    private final Optional<Terminal> input = Terminal.at(0);
    private final Optional<Terminal> output = Terminal.at(1);
    private final Optional<Terminal> errors = Terminal.at(2);
    private final ChildStreams forChild;
    private boolean closed;

    StandardStreams() {
        if (input.isPresent() && output.isPresent() && Terminal.isForeground()) {
            PseudoTerminal own = screen(input.get(), true, FileDescriptor.out);
            forChild = new ChildStreams(own, null, errors.isPresent() ? null : pipe(FileDescriptor.err));
        } else {
            Sink out = output.isPresent()
                    ? new Sink.Screen(screen(output.get(), false, FileDescriptor.out))
                    : pipe(FileDescriptor.out);
            forChild = new ChildStreams(null, out, errors(out));
        }
    }

    private Sink errors(Sink out) {
        if (errors.isEmpty()) {
            return pipe(FileDescriptor.err);
        }
        // One terminal for both keeps what is written to them in order.
        return output.isPresent() ? out : new Sink.Screen(screen(errors.get(), false, FileDescriptor.err));
    }

    private PseudoTerminal screen(Terminal like, boolean processesOutput, FileDescriptor target) {
        PseudoTerminal screen = PseudoTerminal.like(like, processesOutput);
        screens.add(screen);
        // What still runs in a terminal whose command has ended is hung up on; nobody waits for it.
        lanes.add(new OutputLane(screen.master(), target, childEnded.readEnd()));
        return screen;
    }

    private Sink pipe(FileDescriptor target) {
        Descriptor.Pipe pipe = Descriptor.Pipe.open();
        childEnds.add(pipe.writeEnd());
        // Whoever got the pipe from the child may write on, as without us; only a signal ends the wait.
        lanes.add(new OutputLane(pipe.readEnd(), target, hurried.readEnd()));
        return new Sink.Pipe(pipe.writeEnd());
    }

    /** Where the child's streams lead. */
    ChildStreams forChild() {
        return forChild;
    }

    /** Whether the child has a terminal and a session of its own. */
    boolean ownTerminal() {
        return forChild.own() != null;
    }

    /** To be called as soon as the child runs: lets things move. */
    void start(Scrubber scrubber) {
        childEnds.forEach(Descriptor::close);
        PseudoTerminal own = forChild.own();
        if (own != null) {
            Terminal terminal = input.orElseThrow();
            Runtime.getRuntime().addShutdownHook(new Thread(terminal::restore, "terminal"));
            terminal.makeRaw();
            Thread.ofPlatform().daemon().name("run-input").start(() -> type(own.master()));
        }
        lanes.forEach(lane -> lane.start(scrubber));
    }

    private static void type(Descriptor master) {
        byte[] typed = new byte[4096];
        InputStream in = new FileInputStream(FileDescriptor.in);
        OutputStream out = master.output();
        try {
            for (int read = in.read(typed); read >= 0; read = in.read(typed)) {
                out.write(typed, 0, read);
            }
        } catch (IOException gone) {
            // The terminal or the child is no more; whoever waits for the child learns of it.
        } finally {
            Arrays.fill(typed, (byte) 0);
        }
    }

    /** Passes the size of our window on. */
    synchronized void resize() {
        Terminal shown = output.or(() -> errors).orElse(null);
        if (shown != null && !closed) {
            screens.forEach(screen -> screen.resize(shown.size()));
        }
    }

    /** The child is gone: moves the rest of what it wrote. */
    void finish() throws InterruptedException {
        childEnded.writeEnd().close();
        if (ownTerminal()) {
            hurry();
        }
        for (OutputLane lane : lanes) {
            lane.join();
        }
    }

    /** Waits no longer for those that the child left its pipes to. */
    void hurry() {
        hurried.writeEnd().close();
    }

    /** Of all lanes together. */
    long outputBytes() {
        return lanes.stream().mapToLong(OutputLane::bytes).sum();
    }

    /** Of all lanes together. */
    long hits() {
        return lanes.stream().mapToLong(OutputLane::hits).sum();
    }

    /** Whether some output was withheld (S10). */
    boolean unscrubbed() {
        return lanes.stream().anyMatch(OutputLane::unscrubbed);
    }

    /** Gives our terminal back as it was. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        input.ifPresent(Terminal::restore);
        childEnds.forEach(Descriptor::close);
        screens.forEach(PseudoTerminal::close);
    }
}
