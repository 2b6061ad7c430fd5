package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library's functions, by their own names. Each returns what the function returns. Bound when first used; a call that
 * may wait (read, write, poll, wait) is for platform threads.
 */
@SuppressWarnings("restricted") // A native library is what this class is about.
final class LibC {
    /** Where {@code errno} is left by those functions that take a call state. */
    static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();

    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(PathElement.groupElement("errno"));

    static final FunctionDescriptor INT_OF_INT = FunctionDescriptor.of(JAVA_INT, JAVA_INT);
    static final FunctionDescriptor INT_OF_ADDRESS = FunctionDescriptor.of(JAVA_INT, ADDRESS);
    static final FunctionDescriptor INT_OF_TWO_ADDRESSES = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
    private static final FunctionDescriptor TRANSFER = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);

    private static final MethodHandle READ = withErrno("read", TRANSFER);
    private static final MethodHandle WRITE = withErrno("write", TRANSFER);
    private static final MethodHandle POLL =
            withErrno("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE = plain("close", INT_OF_INT);
    private static final MethodHandle PIPE = plain("pipe", INT_OF_ADDRESS);
    private static final MethodHandle OPEN = variadic("open", 2, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FCNTL =
            variadic("fcntl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle IOCTL =
            variadic("ioctl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));

    private static final MethodHandle SIGNAL = plain("signal", FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));

    private LibC() {}

    static long read(MemorySegment state, int descriptor, MemorySegment buffer, long length) {
        try {
            return (long) READ.invokeExact(state, descriptor, buffer, length);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long write(MemorySegment state, int descriptor, MemorySegment buffer, long length) {
        try {
            return (long) WRITE.invokeExact(state, descriptor, buffer, length);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int poll(MemorySegment state, MemorySegment descriptors, long count, int millis) {
        try {
            return (int) POLL.invokeExact(state, descriptors, count, millis);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }

    /** {@code handler} 0 is the default, 1 ignores. */
    static void signal(int number, long handler) {
        try {
            MemorySegment _ = (MemorySegment) SIGNAL.invokeExact(number, MemorySegment.ofAddress(handler));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int close(int descriptor) {
        return call(CLOSE, descriptor);
    }

    static int pipe(MemorySegment pair) {
        return call(PIPE, pair);
    }

    static int open(MemorySegment path, int flags) {
        try {
            return (int) OPEN.invokeExact(path, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code F_SETFD} with {@code FD_CLOEXEC}: no child gets it. */
    static void keepFromChildren(int descriptor) {
        try {
            int _ = (int) FCNTL.invokeExact(descriptor, 2, 1);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int ioctl(int descriptor, long request, MemorySegment argument) {
        try {
            return (int) IOCTL.invokeExact(descriptor, request, argument);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The array of this process's environment, as it was when the process started. */
    static MemorySegment environment() {
        if (Platform.current() == Platform.MACOS) {
            MethodHandle pointer = plain("_NSGetEnviron", FunctionDescriptor.of(ADDRESS));
            try {
                return ((MemorySegment) pointer.invokeExact())
                        .reinterpret(ADDRESS.byteSize())
                        .get(ADDRESS, 0);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }
        return find("environ").reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0);
    }

    static int call(MethodHandle function, int argument) {
        try {
            return (int) function.invokeExact(argument);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int call(MethodHandle function, MemorySegment argument) {
        try {
            return (int) function.invokeExact(argument);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static MethodHandle plain(String name, FunctionDescriptor shape) {
        return LINKER.downcallHandle(find(name), shape);
    }

    static MethodHandle withErrno(String name, FunctionDescriptor shape) {
        return LINKER.downcallHandle(find(name), shape, Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle variadic(String name, int fixed, FunctionDescriptor shape) {
        return LINKER.downcallHandle(find(name), shape, Linker.Option.firstVariadicArg(fixed));
    }

    private static MemorySegment find(String name) {
        return LINKER.defaultLookup().find(name).orElseThrow(() -> new PosixException("the C library has no " + name));
    }

    /** The functions themselves throw nothing. */
    static RuntimeException unexpected(Throwable e) {
        return e instanceof RuntimeException ours ? ours : new IllegalStateException("a native call failed", e);
    }

    /** {@code struct pollfd}. */
    static final MemoryLayout POLL_ENTRY = MemoryLayout.structLayout(
            JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));
}
