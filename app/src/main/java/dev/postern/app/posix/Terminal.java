package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The terminal at one of this process's standard streams. Thread-safe. */
public final class Terminal {
    /** More than {@code struct termios} takes anywhere. */
    static final int MODES_BYTES = 256;

    private static final int READ_AND_WRITE = 2;

    private final int descriptor;
    private final MemorySegment modes = Arena.ofAuto().allocate(MODES_BYTES);
    private boolean raw;

    private Terminal(int descriptor) {
        this.descriptor = descriptor;
        if (LibCTerminals.tcgetattr(descriptor, modes) != 0) {
            throw new PosixException("the terminal's modes cannot be read");
        }
    }

    /** The terminal at a standard stream (0, 1 or 2); empty if there is a file or a pipe. */
    public static Optional<Terminal> at(int descriptor) {
        return LibCTerminals.isatty(descriptor) ? Optional.of(new Terminal(descriptor)) : Optional.empty();
    }

    /**
     * Whether this process runs in the foreground of the terminal it belongs to, so that what is typed there as an interrupt
     * reaches it and every process of its group. False where it belongs to none.
     */
    public static boolean isForeground() {
        try (Arena arena = Arena.ofConfined()) {
            int own = LibC.open(arena.allocateFrom("/dev/tty"), READ_AND_WRITE | Platform.current().openWithoutControl);
            if (own < 0) {
                return false;
            }
            try {
                return LibCTerminals.tcgetpgrp(own) == LibCTerminals.getpgrp();
            } finally {
                LibC.close(own);
            }
        }
    }

    /** From now on every key reaches the reader as it is typed, unechoed, interrupts included. */
    public synchronized void makeRaw() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment changed = arena.allocate(MODES_BYTES);
            changed.copyFrom(modes);
            LibCTerminals.cfmakeraw(changed);
            if (LibCTerminals.tcsetattr(descriptor, changed) != 0) {
                throw new PosixException("the terminal's modes cannot be set");
            }
            raw = true;
        }
    }

    /** Puts the modes back that were found. Idempotent. */
    public synchronized void restore() {
        if (raw) {
            raw = false;
            LibCTerminals.tcsetattr(descriptor, modes);
        }
    }

    /** How large its window is now. */
    public WindowSize size() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(JAVA_SHORT, 4);
            LibC.ioctl(descriptor, Platform.current().getWindowSize, size);
            return new WindowSize(
                    size.getAtIndex(JAVA_SHORT, 0),
                    size.getAtIndex(JAVA_SHORT, 1),
                    size.getAtIndex(JAVA_SHORT, 2),
                    size.getAtIndex(JAVA_SHORT, 3));
        }
    }

    /** The modes that were found. */
    MemorySegment modes() {
        return modes;
    }
}
