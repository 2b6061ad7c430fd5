package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A terminal that is no device: what a child writes to it comes out of {@link #master}, and what is written there the child
 * reads as typed.
 */
public final class PseudoTerminal implements AutoCloseable {
    private static final int READ_AND_WRITE = 2;
    /** {@code OPOST}: a line feed becomes two characters on its way out. */
    private static final int PROCESS_OUTPUT = 1;

    private final Descriptor master;
    private final String path;

    private PseudoTerminal(Descriptor master, String path) {
        this.master = master;
        this.path = path;
    }

    /**
     * A new one, with the modes and the window size of a terminal.
     *
     * @param processesOutput false where what comes out will reach a terminal that does the same again
     * @throws PosixException if the system has none left
     */
    public static PseudoTerminal like(Terminal terminal, boolean processesOutput) {
        PseudoTerminal made = open();
        made.adopt(terminal, processesOutput);
        made.resize(terminal.size());
        return made;
    }

    /** A new one, with the system's modes and no size. */
    @SuppressWarnings("restricted") // The name comes as a text of the system's.
    static PseudoTerminal open() {
        int number = LibCTerminals.openpt(READ_AND_WRITE | Platform.current().openWithoutControl);
        if (number < 0) {
            throw new PosixException("a pseudo-terminal cannot be made");
        }
        Descriptor master = new Descriptor(number);
        if (LibCTerminals.grantpt(number) != 0 || LibCTerminals.unlockpt(number) != 0) {
            master.close();
            throw new PosixException("a pseudo-terminal cannot be made");
        }
        String path =
                LibCTerminals.ptsname(number).reinterpret(Terminal.MODES_BYTES).getString(0);
        return new PseudoTerminal(master, path);
    }

    private void adopt(Terminal terminal, boolean processesOutput) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment modes = arena.allocate(Terminal.MODES_BYTES);
            modes.copyFrom(terminal.modes());
            if (!processesOutput) {
                int at = Platform.current().outputModesOffset;
                if (Platform.current().modesBytes == Long.BYTES) {
                    modes.set(JAVA_LONG, at, modes.get(JAVA_LONG, at) & ~PROCESS_OUTPUT);
                } else {
                    modes.set(JAVA_INT, at, modes.get(JAVA_INT, at) & ~PROCESS_OUTPUT);
                }
            }
            LibCTerminals.tcsetattr(master.number(), modes);
        }
    }

    /** Tells whoever runs in it of the new size (SIGWINCH). */
    public void resize(WindowSize size) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment window = arena.allocateFrom(
                    JAVA_SHORT, size.rows(), size.columns(), size.widthPixels(), size.heightPixels());
            LibC.ioctl(master.number(), Platform.current().setWindowSize, window);
        }
    }

    /** Our side. */
    public Descriptor master() {
        return master;
    }

    /** The child's side, as a file. */
    String path() {
        return path;
    }

    /** Hangs up on whoever still runs in it. */
    @Override
    public void close() {
        master.close();
    }
}
