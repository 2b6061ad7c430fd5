package dev.postern.gate.testing;

import dev.postern.gate.call.ToolName;
import dev.postern.gate.definition.Pin;
import dev.postern.gate.definition.PinStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pinned definitions in memory. */
public final class MemoryPins implements PinStore {
    private final Map<ToolName, Pin> pins = new LinkedHashMap<>();
    private volatile @Nullable Runnable before;

    @Override
    public synchronized List<Pin> pins() {
        return List.copyOf(pins.values());
    }

    /** Somebody else comes first, once. */
    public void pinBefore(Runnable other) {
        before = other;
    }

    @Override
    public void pin(Pin first) {
        Runnable other = before;
        before = null;
        if (other != null) {
            other.run();
        }
        putFirst(first);
    }

    private synchronized void putFirst(Pin first) {
        pins.putIfAbsent(first.tool(), first);
    }

    @Override
    public synchronized Optional<Pin> find(ToolName tool) {
        return Optional.ofNullable(pins.get(tool));
    }

    @Override
    public synchronized void seen(ToolName tool, String pinned, Pin.@Nullable Seen seen) {
        pins.computeIfPresent(
                tool,
                (same, pin) -> pin.hash().equals(pinned)
                        ? new Pin(
                                tool, pin.hash(), pin.definition(), pin.pinnedAt(), pin.actor(), pin.acceptedAt(), seen)
                        : pin);
    }

    @Override
    public synchronized boolean accept(ToolName tool, String hash, String actor, Instant at) {
        Pin pin = pins.get(tool);
        Pin.Seen seen = pin == null ? null : pin.seen();
        if (seen == null || !seen.hash().equals(hash)) {
            return false;
        }
        pins.put(tool, new Pin(tool, hash, seen.definition(), at, actor, at, null));
        return true;
    }
}
