package dev.postern.gate.approval;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls of this node that wait for a decision, by approval. Says only that something may have changed; the truth is in the
 * store, so a lost or spurious wake costs a look, never an answer.
 */
final class Waiters {
    private final Map<String, Room> rooms = new HashMap<>();

    /** Enters before the store is read, so that no decision can slip between reading and waiting. */
    synchronized Room enter(String approval) {
        Room room = rooms.computeIfAbsent(approval, ignored -> new Room());
        room.inside++;
        return room;
    }

    /** Leaves; returns whether nobody is left. */
    synchronized boolean leave(String approval, Room room) {
        if (--room.inside == 0) {
            rooms.remove(approval);
            return true;
        }
        return false;
    }

    void wake(String approval) {
        Room room;
        synchronized (this) {
            room = rooms.get(approval);
        }
        if (room != null) {
            room.wake();
        }
    }

    /** What is waited for. */
    synchronized Set<String> awaited() {
        return Set.copyOf(rooms.keySet());
    }

    void wakeAll() {
        List<Room> all;
        synchronized (this) {
            all = List.copyOf(rooms.values());
        }
        all.forEach(Room::wake);
    }

    /** Where the calls that wait for one approval stand. */
    static final class Room {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private long changes;
        private int inside;

        long changes() {
            lock.lock();
            try {
                return changes;
            } finally {
                lock.unlock();
            }
        }

        void wake() {
            lock.lock();
            try {
                changes++;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Waits until something has changed since {@code seen}, or the time is over. */
        void await(long seen, Duration atMost) throws InterruptedException {
            long nanos = atMost.toNanos();
            lock.lock();
            try {
                while (changes == seen && nanos > 0) {
                    nanos = changed.awaitNanos(Math.min(nanos, TimeUnit.HOURS.toNanos(1)));
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
