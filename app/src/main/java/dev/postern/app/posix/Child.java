package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program started as our child. Thread-safe. */
public final class Child {
    private static final int SET_SIGNAL_MASK = 0x8;
    private static final int READ_AND_WRITE = 2;
    private static final int NOT_EXECUTABLE_FORMAT = 8;
    private static final int INTERRUPTED = 4;
    private static final int BY_PID = 1;
    private static final int EXITED = 4;
    private static final int SIGNALLED = 128;

    /** How many are looked after where the system does not list them. */
    private static final int UNLISTED_DESCRIPTORS = 4096;

    /** More than any of the system's structures takes. */
    private static final int STRUCTURE_BYTES = 1024;

    private final int pid;
    private boolean ended;

    private Child(int pid) {
        this.pid = pid;
    }

    /**
     * Starts a program in our working directory. Besides its streams it gets no descriptor of ours, and no signal is blocked
     * or handled in it that is not so by default or ignored for us all.
     *
     * @param program the file
     * @param command the words the program sees, its own name first
     * @param environment what it gets; still the caller's to wipe
     * @throws PosixException if the file cannot be run
     */
    public static Child start(Path program, List<String> command, ChildEnvironment environment, ChildStreams streams) {
        keepDescriptorsFromChildren();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(STRUCTURE_BYTES);
            MemorySegment actions = arena.allocate(STRUCTURE_BYTES);
            int session = streams.own() == null ? 0 : Platform.current().spawnInNewSession;
            LibCChildren.attributes(attributes, SET_SIGNAL_MASK | session, arena.allocate(STRUCTURE_BYTES));
            LibCChildren.actions(actions);
            try {
                wire(streams, actions, arena);
                MemorySegment pid = arena.allocate(JAVA_INT);
                MemorySegment variables = environment.array();
                int error = LibCChildren.spawn(
                        pid, text(program.toString(), arena), actions, attributes, words(command, arena), variables);
                if (error == NOT_EXECUTABLE_FORMAT) {
                    // A script without a first line that names its interpreter is the shell's.
                    List<String> script = new ArrayList<>(List.of("sh", program.toString()));
                    script.addAll(command.subList(1, command.size()));
                    error = LibCChildren.spawn(
                            pid, text("/bin/sh", arena), actions, attributes, words(script, arena), variables);
                }
                if (error != 0) {
                    throw new PosixException("the command cannot be started", error);
                }
                return new Child(pid.get(JAVA_INT, 0));
            } finally {
                LibCChildren.free(attributes, actions);
            }
        }
    }

    private static void wire(ChildStreams streams, MemorySegment actions, Arena arena) {
        PseudoTerminal own = streams.own();
        if (own != null) {
            // The first terminal that the leader of a session opens is the one that controls it.
            LibCChildren.open(actions, 0, text(own.path(), arena), READ_AND_WRITE);
            LibCChildren.duplicate(actions, 0, 1);
            LibCChildren.duplicate(actions, 0, 2);
        }
        wire(streams.output(), 1, actions, arena);
        wire(streams.errors(), 2, actions, arena);
    }

    private static void wire(ChildStreams.@Nullable Sink sink, int stream, MemorySegment actions, Arena arena) {
        switch (sink) {
            case null -> {}
            case ChildStreams.Sink.Pipe pipe ->
                LibCChildren.duplicate(actions, pipe.writeEnd().number(), stream);
            case ChildStreams.Sink.Screen screen ->
                LibCChildren.open(
                        actions,
                        stream,
                        text(screen.terminal().path(), arena),
                        READ_AND_WRITE | Platform.current().openWithoutControl);
        }
    }

    private static MemorySegment words(List<String> words, Arena arena) {
        MemorySegment array = arena.allocate(ADDRESS, words.size() + 1L);
        for (int i = 0; i < words.size(); i++) {
            array.setAtIndex(ADDRESS, i, text(words.get(i), arena));
        }
        return array;
    }

    /** In the encoding in which our own arguments came. */
    private static MemorySegment text(String text, Arena arena) {
        return arena.allocateFrom(text, Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    }

    /** Not everything in the JDK opens files so that a child does not inherit them. */
    private static void keepDescriptorsFromChildren() {
        Path list = Path.of(Platform.current() == Platform.LINUX ? "/proc/self/fd" : "/dev/fd");
        try (DirectoryStream<Path> open = Files.newDirectoryStream(list, "[0-9]*")) {
            for (Path entry : open) {
                int descriptor = Integer.parseInt(entry.getFileName().toString());
                if (descriptor > 2) {
                    LibC.keepFromChildren(descriptor);
                }
            }
        } catch (IOException unlisted) {
            for (int descriptor = 3; descriptor < UNLISTED_DESCRIPTORS; descriptor++) {
                LibC.keepFromChildren(descriptor);
            }
        }
    }

    /** Sends a signal, unless it has ended. */
    public synchronized void signal(int number) {
        if (!ended) {
            LibCChildren.kill(pid, number);
        }
    }

    /**
     * Waits for the end, on a platform thread.
     *
     * @return what it exited with, or 128 and the number of the signal that ended it, as shells say it
     */
    public int waitFor() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(LibC.CALL_STATE);
            MemorySegment information = arena.allocate(STRUCTURE_BYTES);
            // First without reaping: the number stays the child's, so no signal can meet a stranger.
            int options = EXITED | Platform.current().waitWithoutReaping;
            while (LibCChildren.waitid(state, BY_PID, pid, information, options) != 0) {
                if (LibC.errno(state) != INTERRUPTED) {
                    throw new PosixException("the command cannot be waited for", LibC.errno(state));
                }
            }
            synchronized (this) {
                ended = true;
                MemorySegment status = arena.allocate(JAVA_INT);
                LibCChildren.waitpid(pid, status);
                int word = status.get(JAVA_INT, 0);
                int signal = word & 0x7F;
                return signal == 0 ? word >> 8 & 0xFF : SIGNALLED + signal;
            }
        }
    }

    @Override
    public String toString() {
        return "Child[" + pid + "]";
    }
}
