package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A terminal with a program in it: what it shows can be awaited, and something typed. */
public final class DrivenTerminal implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final PseudoTerminal terminal;
    private final byte[] modesBefore;
    private final Child child;
    private final Thread reader;
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private int searchedTo;
    private boolean ended;

    private DrivenTerminal(PseudoTerminal terminal, Child child, byte[] modesBefore) {
        this.terminal = terminal;
        this.child = child;
        this.modesBefore = modesBefore;
        this.reader = Thread.ofPlatform().daemon().name("terminal").start(this::read);
    }

    /** Starts a program, its environment without our {@code POSTERN_…} and with the given variables. */
    public static DrivenTerminal start(List<String> command, Map<String, String> variables, int rows, int columns) {
        PseudoTerminal terminal = PseudoTerminal.open();
        terminal.resize(new WindowSize((short) rows, (short) columns, (short) 0, (short) 0));
        byte[] modes = modes(terminal);
        try (ChildEnvironment environment =
                ChildEnvironment.inheritedWithout(Set.of("POSTERN_KEY", "POSTERN_DATA", "POSTERN_AGENT_KEY"))) {
            variables.forEach((name, value) -> environment.put(name, value.getBytes(UTF_8)));
            Child child = Child.start(
                    Path.of(command.getFirst()), command, environment, new ChildStreams(terminal, null, null));
            return new DrivenTerminal(terminal, child, modes);
        }
    }

    private static byte[] modes(PseudoTerminal terminal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment modes = arena.allocate(Terminal.MODES_BYTES);
            LibCTerminals.tcgetattr(terminal.master().number(), modes);
            return modes.toArray(JAVA_BYTE);
        }
    }

    private void read() {
        byte[] chunk = new byte[4096];
        try (InputStream in = terminal.master().input(null, 0)) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                synchronized (shown) {
                    shown.write(chunk, 0, count);
                    shown.notifyAll();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            synchronized (shown) {
                ended = true;
                shown.notifyAll();
            }
        }
    }

    /** Waits until a text is shown, after those that were awaited before. */
    public void await(String text) throws InterruptedException, TimeoutException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        synchronized (shown) {
            while (true) {
                int at = shown.toString(UTF_8).indexOf(text, searchedTo);
                if (at >= 0) {
                    searchedTo = at + text.length();
                    return;
                }
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (ended || left <= 0) {
                    throw new TimeoutException("'" + text + "' is not shown, but: " + shown.toString(UTF_8));
                }
                shown.wait(left);
            }
        }
    }

    /** As if on the keyboard. */
    public void type(String keys) throws IOException {
        terminal.master().output().write(keys.getBytes(UTF_8));
    }

    /** As if the window were dragged. */
    public void resize(int rows, int columns) {
        terminal.resize(new WindowSize((short) rows, (short) columns, (short) 0, (short) 0));
    }

    /** Sends a signal to the program alone. */
    public void signal(int number) {
        child.signal(number);
    }

    /** Waits for its end. */
    public int exitCode() {
        return child.waitFor();
    }

    /** Whether it left the terminal's modes as it found them. */
    public boolean modesAreAsBefore() {
        return Arrays.equals(modesBefore, modes(terminal));
    }

    /** All that was shown, once the program has ended. */
    public String shown() throws InterruptedException {
        reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        synchronized (shown) {
            return shown.toString(UTF_8);
        }
    }

    @Override
    public void close() {
        child.signal(9);
        terminal.close();
    }
}
