package dev.postern.gate.definition;

import dev.postern.gate.call.ToolName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pinned definitions at rest. Every change is a conditional write, so that of two that race one counts. */
public interface PinStore {
    /** All of them. */
    List<Pin> pins();

    /** A tool's pin; empty if no secret ever went to it. */
    Optional<Pin> find(ToolName tool);

    /** Pins a tool's first definition; one that is pinned already stays as it is. */
    void pin(Pin first);

    /**
     * Keeps what a server shows instead of the pinned definition; null once it shows that again.
     *
     * @param pinned hash of the definition it was compared with; nothing is kept if another one is pinned meanwhile
     */
    void seen(ToolName tool, String pinned, Pin.@Nullable Seen seen);

    /** Pins what is seen instead, if it still has that hash; false otherwise. */
    boolean accept(ToolName tool, String hash, String actor, Instant at);
}
