package dev.postern.gate.call;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.detect.Detected;
import dev.postern.json.JsonValue;
import dev.postern.reference.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool as an agent made it.
 *
 * @param arguments the exact arguments, a view on the bytes the agent sent, until they are {@link #rewritten} or
 *     {@link #filled}
 * @param definition the tool as its server last listed it when the call came in; null if it never did
 * @param definitions where to look again at the confirm step (P6)
 * @param patience how the client can wait for a person
 * @param continues the approved call that this one claims to be a further round of, by the handle it came with; empty
 *     for none (P7)
 * @param detected what was masked or captured in what the agent wrote (D6); where there is any, the arguments differ from
 *     it
 * @param named secrets that the call is to be given although no reference in its arguments asks for them: a tool of ours
 *     takes a secret's name. They are judged, asked about and recorded as those of references are
 * @param filling what comes into the arguments from elsewhere once their references have been found
 */
public record ToolCall(
        CallId id,
        Caller caller,
        ToolName tool,
        JsonValue arguments,
        @Nullable ToolDefinition definition,
        DefinitionSource definitions,
        Patience patience,
        String continues,
        List<Detected> detected,
        List<Reference> named,
        Filling filling) {
    public ToolCall {
        detected = List.copyOf(detected);
        named = List.copyOf(named);
    }

    /** A call of a server's tool that is no further round of another. */
    public ToolCall(
            CallId id,
            Caller caller,
            ToolName tool,
            JsonValue arguments,
            @Nullable ToolDefinition definition,
            DefinitionSource definitions,
            Patience patience) {
        this(id, caller, tool, arguments, definition, definitions, patience, "", List.of(), List.of(), Filling.NONE);
    }

    /** The same call as a further round of an approved one. */
    public ToolCall continuing(String approved) {
        return new ToolCall(
                id, caller, tool, arguments, definition, definitions, patience, approved, detected, named, filling);
    }

    /** The same call with secrets that no reference asks for. */
    public ToolCall naming(List<Reference> secrets) {
        return new ToolCall(
                id, caller, tool, arguments, definition, definitions, patience, continues, detected, secrets, filling);
    }

    /** The same call, into whose arguments something is to come from elsewhere. */
    public ToolCall filledBy(Filling other) {
        return new ToolCall(
                id, caller, tool, arguments, definition, definitions, patience, continues, detected, named, other);
    }

    /** The same call with other arguments: what was detected in them is masked or captured. */
    public ToolCall rewritten(JsonValue others, @Nullable ToolDefinition known, List<Detected> found) {
        return new ToolCall(id, caller, tool, others, known, definitions, patience, continues, found, named, filling);
    }

    /** The same call with its gaps filled. */
    public ToolCall filled(JsonValue whole) {
        return new ToolCall(
                id, caller, tool, whole, definition, definitions, patience, continues, detected, named, filling);
    }

    /** Whether the arguments are others than the agent wrote. */
    public boolean isRewritten() {
        return !detected.isEmpty() || !filling.equals(Filling.NONE);
    }

    /** The same call, given up when {@code cancellation} fires. */
    public ToolCall cancelledBy(Cancellation cancellation) {
        return new ToolCall(
                id,
                caller,
                tool,
                arguments,
                definition,
                definitions,
                new Patience(patience.hold(), patience.heartbeat(), cancellation),
                continues,
                detected,
                named,
                filling);
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
