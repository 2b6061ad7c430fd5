package dev.postern.mcp.client;

import dev.postern.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The processes and threads of conversations that were not there before. Those that other tests left are not looked at, and what
 * is about to end is given the time.
 */
final class Leftovers {
    private final Set<Thread> threadsBefore =
            Set.copyOf(Thread.getAllStackTraces().keySet());
    private final Set<ProcessHandle> processesBefore =
            ProcessHandle.current().descendants().collect(Collectors.toSet());

    private Leftovers() {}

    /** Whatever comes from now on. */
    static Leftovers fromNowOn() {
        return new Leftovers();
    }

    /** Waits until there are none. */
    void areGone() {
        try {
            Await.until("nothing is left", () -> left().isEmpty());
        } catch (AssertionError inVain) {
            throw new AssertionError("left: " + left(), inVain);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> left() {
        List<String> left = new ArrayList<>();
        ProcessHandle.current()
                .descendants()
                .filter(process -> process.isAlive() && !processesBefore.contains(process))
                .forEach(process -> left.add("process " + process.pid()));
        Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !threadsBefore.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("postern-server-scripted") || name.endsWith("-SelectorManager"))
                .forEach(left::add);
        return left;
    }
}
