package dev.postern.mcp.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A child and whatever it started. Descendants are found by their parents; those whose parents are gone by the session
 * that the child leads, where the system shows sessions ({@code /proc}).
 */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    private static final long POLL_MILLIS = 10;

    private final Process leader;
    private final boolean leadsSession;
    private final Set<ProcessHandle> members = new HashSet<>();

    ProcessTree(Process leader, boolean leadsSession) {
        this.leader = leader;
        this.leadsSession = leadsSession;
    }

    /** Adds who is there now; to be called while the leader lives, and once more after its end. */
    void look() {
        leader.descendants().forEach(members::add);
        if (leadsSession) {
            sessionMembers();
        }
    }

    /** SIGTERM to all. */
    void terminate() {
        leader.destroy();
        members.forEach(ProcessHandle::destroy);
    }

    /** SIGKILL to all. */
    void kill() {
        leader.destroyForcibly();
        members.forEach(ProcessHandle::destroyForcibly);
    }

    /** Waits until all are gone. */
    boolean awaitExit(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        if (!leader.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        // The others are not our children: nothing tells us of their end.
        while (!members.stream().allMatch(ProcessTree::isGone)) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** One that exited and whose parent does not care is gone, too. */
    private static boolean isGone(ProcessHandle process) {
        if (!process.isAlive()) {
            return true;
        }
        String[] fields = statFields(PROC.resolve(Long.toString(process.pid())));
        return fields.length > 0 && fields[0].equals("Z");
    }

    private void sessionMembers() {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (session(process) == leader.pid()) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .filter(found -> found.pid() != leader.pid())
                            .ifPresent(members::add);
                }
            }
        } catch (IOException noProc) {
            // Then the descendants are all we know.
        }
    }

    private static long session(Path process) {
        String[] fields = statFields(process);
        return fields.length > 3 ? Long.parseLong(fields[3]) : -1;
    }

    /** What follows the name in {@code stat}: state, parent, group, session; empty if the process is gone. */
    private static String[] statFields(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", 5);
        } catch (IOException | IndexOutOfBoundsException gone) {
            return new String[0];
        }
    }
}
