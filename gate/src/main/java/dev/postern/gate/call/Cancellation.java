package dev.postern.gate.call;

import java.util.ArrayList;
import java.util.List;

/** Whether the agent still wants the answer. Fired at most once; thread-safe. */
public final class Cancellation {
    private final List<Runnable> listeners = new ArrayList<>();
    private boolean fired;

    /** The agent gave up: wakes whoever waits on its behalf. */
    public void fire() {
        List<Runnable> woken;
        synchronized (this) {
            if (fired) {
                return;
            }
            fired = true;
            woken = List.copyOf(listeners);
            listeners.clear();
        }
        woken.forEach(Runnable::run);
    }

    public synchronized boolean isFired() {
        return fired;
    }

    /** Runs {@code listener} when this fires, or at once if it has. Close the registration when it no longer matters. */
    public Registration onFire(Runnable listener) {
        synchronized (this) {
            if (!fired) {
                listeners.add(listener);
                return () -> remove(listener);
            }
        }
        listener.run();
        return () -> {};
    }

    private synchronized void remove(Runnable listener) {
        listeners.remove(listener);
    }

    /** A listener's place in the list. */
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
