package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The C library's functions for terminals, by their own names; as {@link LibC}. */
final class LibCTerminals {
    private static final MethodHandle IS_TERMINAL = LibC.plain("isatty", LibC.INT_OF_INT);
    private static final MethodHandle FOREGROUND_GROUP = LibC.plain("tcgetpgrp", LibC.INT_OF_INT);
    private static final MethodHandle OWN_GROUP = LibC.plain("getpgrp", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle GET_MODES =
            LibC.plain("tcgetattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SET_MODES =
            LibC.plain("tcsetattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle MAKE_RAW = LibC.plain("cfmakeraw", FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle OPEN_MASTER = LibC.plain("posix_openpt", LibC.INT_OF_INT);
    private static final MethodHandle GRANT = LibC.plain("grantpt", LibC.INT_OF_INT);
    private static final MethodHandle UNLOCK = LibC.plain("unlockpt", LibC.INT_OF_INT);
    private static final MethodHandle NAME = LibC.plain("ptsname", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private LibCTerminals() {}

    static boolean isatty(int descriptor) {
        return LibC.call(IS_TERMINAL, descriptor) == 1;
    }

    static int tcgetpgrp(int descriptor) {
        return LibC.call(FOREGROUND_GROUP, descriptor);
    }

    static int getpgrp() {
        try {
            return (int) OWN_GROUP.invokeExact();
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static int tcgetattr(int descriptor, MemorySegment modes) {
        try {
            return (int) GET_MODES.invokeExact(descriptor, modes);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    /** At once, without waiting for output that nobody may read. */
    static int tcsetattr(int descriptor, MemorySegment modes) {
        try {
            return (int) SET_MODES.invokeExact(descriptor, 0, modes);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static void cfmakeraw(MemorySegment modes) {
        try {
            MAKE_RAW.invokeExact(modes);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static int openpt(int flags) {
        return LibC.call(OPEN_MASTER, flags);
    }

    static int grantpt(int master) {
        return LibC.call(GRANT, master);
    }

    static int unlockpt(int master) {
        return LibC.call(UNLOCK, master);
    }

    static MemorySegment ptsname(int master) {
        try {
            return (MemorySegment) NAME.invokeExact(master);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }
}
