package dev.postern.gate.call;

import dev.postern.gate.agent.Caller;
import dev.postern.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool as an agent made it.
 *
 * @param arguments the exact arguments, a view on the bytes the agent sent
 * @param definition the tool as its server last listed it; null if it never did
 * @param patience how the client can wait for a person
 */
public record ToolCall(
        CallId id,
        Caller caller,
        ToolName tool,
        JsonValue arguments,
        @Nullable ToolDefinition definition,
        Patience patience) {}
