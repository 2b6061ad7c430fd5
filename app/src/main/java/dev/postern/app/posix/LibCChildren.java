package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The C library's functions for starting, waiting for and signalling children; as {@link LibC}. */
final class LibCChildren {
    private static final MethodHandle ATTRIBUTES = LibC.plain("posix_spawnattr_init", LibC.INT_OF_ADDRESS);
    private static final MethodHandle FREE_ATTRIBUTES = LibC.plain("posix_spawnattr_destroy", LibC.INT_OF_ADDRESS);
    private static final MethodHandle FLAGS =
            LibC.plain("posix_spawnattr_setflags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_SHORT));
    private static final MethodHandle SIGNAL_MASK = LibC.plain("posix_spawnattr_setsigmask", LibC.INT_OF_TWO_ADDRESSES);
    private static final MethodHandle NO_SIGNALS = LibC.plain("sigemptyset", LibC.INT_OF_ADDRESS);
    private static final MethodHandle ACTIONS = LibC.plain("posix_spawn_file_actions_init", LibC.INT_OF_ADDRESS);
    private static final MethodHandle FREE_ACTIONS =
            LibC.plain("posix_spawn_file_actions_destroy", LibC.INT_OF_ADDRESS);
    private static final MethodHandle DUPLICATE = LibC.plain(
            "posix_spawn_file_actions_adddup2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle OPEN_AS = LibC.plain(
            "posix_spawn_file_actions_addopen",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle SPAWN = LibC.plain(
            "posix_spawn", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    private static final MethodHandle WAIT_ID =
            LibC.withErrno("waitid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle WAIT_PID =
            LibC.plain("waitpid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle KILL = LibC.plain("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

    private LibCChildren() {}

    static void attributes(MemorySegment attributes, int flags, MemorySegment noSignals) {
        LibC.call(ATTRIBUTES, attributes);
        LibC.call(NO_SIGNALS, noSignals);
        try {
            int _ = (int) SIGNAL_MASK.invokeExact(attributes, noSignals);
            int _ = (int) FLAGS.invokeExact(attributes, (short) flags);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static void actions(MemorySegment actions) {
        LibC.call(ACTIONS, actions);
    }

    static void free(MemorySegment attributes, MemorySegment actions) {
        LibC.call(FREE_ATTRIBUTES, attributes);
        LibC.call(FREE_ACTIONS, actions);
    }

    static void duplicate(MemorySegment actions, int from, int to) {
        try {
            int _ = (int) DUPLICATE.invokeExact(actions, from, to);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static void open(MemorySegment actions, int as, MemorySegment path, int flags) {
        try {
            int _ = (int) OPEN_AS.invokeExact(actions, as, path, flags, 0);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static int spawn(
            MemorySegment pid,
            MemorySegment path,
            MemorySegment actions,
            MemorySegment attributes,
            MemorySegment arguments,
            MemorySegment environment) {
        try {
            return (int) SPAWN.invokeExact(pid, path, actions, attributes, arguments, environment);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static int waitid(MemorySegment state, int kind, int pid, MemorySegment information, int options) {
        try {
            return (int) WAIT_ID.invokeExact(state, kind, pid, information, options);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static int waitpid(int pid, MemorySegment status) {
        try {
            return (int) WAIT_PID.invokeExact(pid, status, 0);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }

    static int kill(int pid, int signal) {
        try {
            return (int) KILL.invokeExact(pid, signal);
        } catch (Throwable e) {
            throw LibC.unexpected(e);
        }
    }
}
