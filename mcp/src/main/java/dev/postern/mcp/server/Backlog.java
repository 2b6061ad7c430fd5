package dev.postern.mcp.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be written to a client: bounded by number and by size, so that whoever fills it waits until the client has read
 * on. One thing may be larger than all the room there is. Thread-safe.
 */
final class Backlog<T> {
    private final int capacity;
    private final int maxBytes;
    private final ToIntFunction<T> size;
    private final Deque<T> items = new ArrayDeque<>();
    private long bytes;

    Backlog(int capacity, int maxBytes, ToIntFunction<T> size) {
        this.capacity = capacity;
        this.maxBytes = maxBytes;
        this.size = size;
    }

    /** Adds something at the end; false if there was no room for it in that time. */
    synchronized boolean offer(T item, long timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        while (items.size() >= capacity || bytes >= maxBytes) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000 + 1);
        }
        items.addLast(item);
        bytes += size.applyAsInt(item);
        notifyAll();
        return true;
    }

    /** Takes the first; null if none came in that time. */
    synchronized @Nullable T poll(long timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        while (items.isEmpty()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return null;
            }
            wait(left / 1_000_000 + 1);
        }
        return removeFirst();
    }

    /** Takes the first, whenever it comes. */
    synchronized T take() throws InterruptedException {
        while (items.isEmpty()) {
            wait();
        }
        return removeFirst();
    }

    private T removeFirst() {
        T item = items.removeFirst();
        bytes -= size.applyAsInt(item);
        notifyAll();
        return item;
    }

    synchronized void clear() {
        items.clear();
        bytes = 0;
        notifyAll();
    }
}
