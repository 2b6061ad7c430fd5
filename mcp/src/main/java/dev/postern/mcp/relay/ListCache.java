package dev.postern.mcp.relay;

import dev.postern.gate.scrub.Raw;
import dev.postern.mcp.catalog.ListKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pages of servers' lists that are still fresh, by what they depend on. Kept as they came, unread, so that each time one is
 * given out it passes the choke point anew (S1, S9); pages in which a value was found are not kept at all. The least
 * recently used make room. Thread-safe.
 */
final class ListCache {
    private final long maxBytes;
    private final Map<Key, Page> pages = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;
    private long changes;

    /**
     * What a page depends on.
     *
     * @param client the client's revision and capabilities, by which a server may choose what to offer
     * @param cursor JSON; empty for the first page
     */
    record Key(String server, ListKind kind, String client, String cursor) {}

    /** A page, and since when and for how long it is fresh. */
    record Page(Raw raw, int length, long receivedNanos, long ttlMillis) {
        long millisLeft() {
            return ttlMillis
                    - Duration.ofNanos(System.nanoTime() - receivedNanos).toMillis();
        }
    }

    ListCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** A page that is fresh; null if there is none. */
    synchronized @Nullable Page find(Key key) {
        Page page = pages.get(key);
        if (page != null && page.millisLeft() <= 0) {
            remove(key);
            return null;
        }
        return page;
    }

    /** Grows whenever something was dropped because it changed: a page asked for before that is out of date. */
    synchronized long changes() {
        return changes;
    }

    /** Keeps a page, unless anything changed since it was asked for. */
    synchronized void keep(Key key, Page page, long changesBefore) {
        if (changes != changesBefore || page.length() > maxBytes / 4) {
            return;
        }
        remove(key);
        pages.put(key, page);
        bytes += page.length();
        while (bytes > maxBytes) {
            remove(pages.keySet().iterator().next());
        }
    }

    /** The server's list of that kind changed. */
    synchronized void forget(String server, ListKind kind) {
        changes++;
        pages.keySet().stream()
                .filter(key -> key.server.equals(server) && key.kind == kind)
                .toList()
                .forEach(this::remove);
    }

    /** The server is another one now, or was started anew. */
    synchronized void forget(String server) {
        changes++;
        pages.keySet().stream()
                .filter(key -> key.server.equals(server))
                .toList()
                .forEach(this::remove);
    }

    private void remove(Key key) {
        Page page = pages.remove(key);
        if (page != null) {
            bytes -= page.length();
        }
    }
}
