package dev.postern.app.wiring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, closed once and in reverse; one that fails to close does not keep the others open. */
final class Closing implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public synchronized void close() {
        while (!open.isEmpty()) {
            AutoCloseable resource = open.pop();
            try {
                resource.close();
            } catch (Exception e) {
                log.warn("a part did not close cleanly: {}", e.getClass().getName());
            }
        }
    }
}
