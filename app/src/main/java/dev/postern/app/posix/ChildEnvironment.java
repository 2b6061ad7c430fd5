package dev.postern.app.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The environment of a child, as bytes outside the heap: this process's own, byte for byte, without some variables and with
 * others. No entry ever becomes a {@code String}, and {@link #close} wipes them all. Used by one thread.
 */
@SuppressWarnings("restricted") // The system's own array is read, and it has no length but its end.
public final class ChildEnvironment implements AutoCloseable {
    private final Arena memory = Arena.ofConfined();
    private final Map<String, MemorySegment> entries = new LinkedHashMap<>();

    private ChildEnvironment() {}

    /** Our own, without the variables of these names. */
    public static ChildEnvironment inheritedWithout(Set<String> names) {
        ChildEnvironment environment = new ChildEnvironment();
        MemorySegment array = LibC.environment();
        if (!array.equals(MemorySegment.NULL)) {
            environment.inherit(array.reinterpret(Long.MAX_VALUE), names);
        }
        return environment;
    }

    private void inherit(MemorySegment array, Set<String> without) {
        for (long at = 0; ; at += ADDRESS.byteSize()) {
            MemorySegment entry = array.get(ADDRESS, at);
            if (entry.equals(MemorySegment.NULL)) {
                return;
            }
            MemorySegment text = entry.reinterpret(Long.MAX_VALUE);
            long length = 0;
            long nameLength = -1;
            for (byte b = text.get(JAVA_BYTE, 0); b != 0; b = text.get(JAVA_BYTE, ++length)) {
                if (b == '=' && nameLength < 0) {
                    nameLength = length;
                }
            }
            if (nameLength > 0) {
                byte[] name = text.asSlice(0, nameLength).toArray(JAVA_BYTE);
                // Latin-1 keeps names apart that are no text.
                String key = new String(name, StandardCharsets.ISO_8859_1);
                if (!without.contains(key)) {
                    entries.putIfAbsent(key, memory.allocate(length + 1).copyFrom(text.asSlice(0, length)));
                }
            }
        }
    }

    /**
     * Sets a variable, in the place of one of that name.
     *
     * @param value without NUL; the caller's to wipe
     * @throws IllegalArgumentException if name or value cannot stand in an environment
     */
    public void put(String name, byte[] value) {
        byte[] key = name.getBytes(StandardCharsets.UTF_8);
        if (key.length == 0 || name.indexOf('=') >= 0 || holdsNul(key) || holdsNul(value)) {
            throw new IllegalArgumentException("not a variable");
        }
        MemorySegment entry = memory.allocate(key.length + 1L + value.length + 1L);
        MemorySegment.copy(key, 0, entry, JAVA_BYTE, 0, key.length);
        entry.set(JAVA_BYTE, key.length, (byte) '=');
        MemorySegment.copy(value, 0, entry, JAVA_BYTE, key.length + 1L, value.length);
        MemorySegment before = entries.put(new String(key, StandardCharsets.ISO_8859_1), entry);
        if (before != null) {
            before.fill((byte) 0);
        }
    }

    private static boolean holdsNul(byte[] bytes) {
        for (byte b : bytes) {
            if (b == 0) {
                return true;
            }
        }
        return false;
    }

    /** The array that a system call takes; valid until this is closed. */
    MemorySegment array() {
        List<MemorySegment> list = List.copyOf(entries.values());
        MemorySegment array = memory.allocate(ADDRESS, list.size() + 1L);
        for (int i = 0; i < list.size(); i++) {
            array.setAtIndex(ADDRESS, i, list.get(i));
        }
        return array;
    }

    /** Wipes every entry. Idempotent. */
    @Override
    public void close() {
        if (!memory.scope().isAlive()) {
            return;
        }
        entries.values().forEach(entry -> entry.fill((byte) 0));
        memory.close();
    }

    @Override
    public String toString() {
        return "ChildEnvironment[hidden]";
    }
}
