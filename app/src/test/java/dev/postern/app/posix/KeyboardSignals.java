package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A build that runs in the background of a script ignores what a keyboard interrupts and quits with, and so does whatever it
 * starts; a shell cannot even trap it. A test that sends these undoes that first.
 */
public final class KeyboardSignals {
    private static final int[] SIGNALS = {2, 3};
    private static final long IGNORED = 1;

    private static final MethodHandle SIGNAL = LibC.plain("signal", FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));

    private KeyboardSignals() {}

    /** Lets what we start from now on hear them. */
    public static void hear() {
        for (int signal : SIGNALS) {
            MemorySegment before = handle(signal, MemorySegment.NULL);
            if (before.address() != IGNORED) {
                handle(signal, before);
            }
        }
    }

    private static MemorySegment handle(int signal, MemorySegment handler) {
        try {
            return (MemorySegment) SIGNAL.invokeExact(signal, handler);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }
}
