package dev.postern.gate.listen;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of events of one kind. One that fails keeps none of the others from hearing. Thread-safe. */
public final class Listeners<E> {
    private static final Logger log = LoggerFactory.getLogger(Listeners.class);

    private final String events;
    private final List<Consumer<? super E>> listeners = new CopyOnWriteArrayList<>();

    /** A listener's place among the others; closing it ends it. */
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Nobody listens yet.
     *
     * @param events what they are, for the log
     */
    public Listeners(String events) {
        this.events = events;
    }

    /** Calls {@code listener} with every event from now on, on the thread that announces it. */
    public Registration add(Consumer<? super E> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Tells everybody, and returns when all were told. */
    public void announce(E event) {
        for (Consumer<? super E> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                log.warn("a listener to {} failed: {}", events, e.getClass());
            }
        }
    }
}
