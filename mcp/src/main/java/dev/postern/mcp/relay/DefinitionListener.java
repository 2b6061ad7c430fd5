package dev.postern.mcp.relay;

import dev.postern.gate.call.ToolName;
import dev.postern.json.JsonValue;

/** Hears of every tool definition that a server lists, scrubbed, whoever asked for the list. */
@FunctionalInterface
public interface DefinitionListener {
    /** Nobody. */
    DefinitionListener NONE = (user, tool, definition) -> {};

    /**
     * A server lists this tool.
     *
     * @param user for whom it was listed
     */
    void listed(String user, ToolName tool, JsonValue definition);
}
