package dev.postern.gate.call;

import dev.postern.gate.agent.Caller;
import dev.postern.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool as an agent made it.
 *
 * @param arguments the exact arguments, a view on the bytes the agent sent
 * @param definition the tool as its server last listed it when the call came in; null if it never did
 * @param definitions where to look again at the confirm step (P6)
 * @param patience how the client can wait for a person
 * @param continues the approved call that this one claims to be a further round of, by the handle it came with; empty
 *     for none (P7)
 */
public record ToolCall(
        CallId id,
        Caller caller,
        ToolName tool,
        JsonValue arguments,
        @Nullable ToolDefinition definition,
        DefinitionSource definitions,
        Patience patience,
        String continues) {

    /** A call that is no further round of another. */
    public ToolCall(
            CallId id,
            Caller caller,
            ToolName tool,
            JsonValue arguments,
            @Nullable ToolDefinition definition,
            DefinitionSource definitions,
            Patience patience) {
        this(id, caller, tool, arguments, definition, definitions, patience, "");
    }

    /** Tells how the server defines this call's tool now. */
    @FunctionalInterface
    public interface DefinitionSource {
        @Nullable
        ToolDefinition latest();
    }

    /** The definition's hash, or empty where the server never listed the tool. */
    public String definitionHash() {
        return definition == null ? "" : definition.hash();
    }
}
