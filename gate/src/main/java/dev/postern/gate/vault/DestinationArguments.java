package dev.postern.gate.vault;

import dev.postern.gate.call.ToolName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which arguments of a tool say where it leads, as somebody declared who knows the tool (P9). */
@FunctionalInterface
public interface DestinationArguments {
    /** Nobody declared anything. */
    DestinationArguments NONE = tool -> null;

    /** Where the tool's URLs and hosts stand; empty if it leads nowhere but to its server; null if nobody declared it. */
    @Nullable
    List<ArgumentPath> of(ToolName tool);
}
