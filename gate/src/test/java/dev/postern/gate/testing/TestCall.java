package dev.postern.gate.testing;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Patience;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.call.ToolName;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call in the making; each method gives a changed copy. */
public record TestCall(
        Caller caller,
        ToolName tool,
        String arguments,
        @Nullable ToolDefinition definition,
        ToolCall.@Nullable DefinitionSource definitions,
        Patience patience,
        String continues) {

    TestCall(Caller caller, String arguments) {
        this(
                caller,
                new ToolName("files", "write"),
                arguments,
                null,
                null,
                new Patience(Duration.ofHours(1), null, new Cancellation()),
                "");
    }

    /** A call that claims to be a further round of an approved one. */
    public TestCall continuing(String fingerprint) {
        return new TestCall(caller, tool, arguments, definition, definitions, patience, fingerprint);
    }

    public TestCall by(Caller other) {
        return new TestCall(other, tool, arguments, definition, definitions, patience, continues);
    }

    public TestCall tool(String server, String name) {
        return new TestCall(
                caller, new ToolName(server, name), arguments, definition, definitions, patience, continues);
    }

    public TestCall arguments(String others) {
        return new TestCall(caller, tool, others, definition, definitions, patience, continues);
    }

    /** The tool has this input schema, and keeps it. */
    public TestCall schema(String inputSchema) {
        return defined("{\"name\":\"" + tool.tool() + "\",\"inputSchema\":" + inputSchema + "}");
    }

    public TestCall defined(String json) {
        return new TestCall(caller, tool, arguments, definition(json), definitions, patience, continues);
    }

    /** Where the confirm step looks the definition up. */
    public TestCall definitions(ToolCall.DefinitionSource source) {
        return new TestCall(caller, tool, arguments, definition, source, patience, continues);
    }

    public TestCall hold(Duration hold) {
        return new TestCall(
                caller,
                tool,
                arguments,
                definition,
                definitions,
                new Patience(hold, patience.heartbeat(), patience.cancellation()),
                continues);
    }

    public TestCall heartbeat(Patience.Heartbeat heartbeat) {
        return new TestCall(
                caller,
                tool,
                arguments,
                definition,
                definitions,
                new Patience(patience.hold(), heartbeat, patience.cancellation()),
                continues);
    }

    public TestCall cancelledBy(Cancellation cancellation) {
        return new TestCall(
                caller,
                tool,
                arguments,
                definition,
                definitions,
                new Patience(patience.hold(), patience.heartbeat(), cancellation),
                continues);
    }

    public ToolCall build() {
        return new ToolCall(
                        CallId.random(),
                        caller,
                        tool,
                        JsonValue.parse(arguments.getBytes(StandardCharsets.UTF_8)),
                        definition,
                        definitions == null ? () -> definition : definitions,
                        patience)
                .continuing(continues);
    }

    public static ToolDefinition definition(String json) {
        return ToolDefinition.of(JsonValue.parse(json.getBytes(StandardCharsets.UTF_8)));
    }
}
