package dev.postern.mcp.relay;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.call.ToolName;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.catalog.OwnTool;
import dev.postern.mcp.catalog.OwnTools;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * {@code execute_tools}: several calls in one. Each is the call it would be alone: judged, asked about, recorded and scrubbed on its
 * own; this only makes one after the other, and puts what earlier ones answered where later ones ask for it
 * ({@link StepOutputs}). The whole is a governed call as well, of the tool {@code postern__execute_tools}, which resolves
 * nothing.
 */
final class Steps {
    static final String NAME = "execute_tools";

    private static final int MAX_STEPS = 20;

    private static final byte[] DEFINITION = """
            {"name":"execute_tools","title":"Call several tools in order","description":"Calls tools one after the other, each \
            with its own approval, and answers with the result of each. A later step can use what an earlier one answered: \
            {{step:1}} in a string stands for the text of step 1's result, {{step:1#/structuredContent/id}} for a part of it by \
            JSON pointer; alone in a string it becomes that value whatever its type, within longer text it is put in as text. \
            References to secrets ({{vault:NAME}}) work in each step's arguments as in any call; one inside an earlier step's \
            output is plain text and stays so. The first step that fails ends it, unless continue_on_error is true; steps that \
            ran are not undone, so send only what is left. Never print a redeemed link.","inputSchema":{"type":"object","properties":{"steps":{\
            "type":"array","minItems":1,"maxItems":20,"items":{"type":"object","properties":{"tool":{"type":"string",\
            "description":"As tools/list names it"},"arguments":{"type":"object"}},"required":["tool"],\
            "additionalProperties":false}},"continue_on_error":{"type":"boolean","default":false}},"required":["steps"],\
            "additionalProperties":false}}""".getBytes(StandardCharsets.UTF_8);

    private static final ToolDefinition KNOWN = ToolDefinition.of(JsonValue.parse(DEFINITION));

    private final ToolCalls toolCalls;
    private final Function<InFlight, Outbound> one;
    private final Caller caller;
    private final Era client;

    /** @param one answers a {@code tools/call} of one step; may throw what {@link Failures} knows */
    Steps(ToolCalls toolCalls, Function<InFlight, Outbound> one, Caller caller, Era client) {
        this.toolCalls = toolCalls;
        this.one = one;
        this.caller = caller;
        this.client = client;
    }

    static byte[] definition() {
        return DEFINITION.clone();
    }

    /** Answers a call of {@value #NAME}. */
    Outbound answer(InFlight inFlight) {
        JsonValue arguments = ToolCalls.argumentsOf(inFlight.request());
        StepResults results = new StepResults();
        Outbound refused = toolCalls.around(
                inFlight,
                caller,
                client,
                new ToolName(OwnTool.SERVER, NAME),
                KNOWN,
                arguments,
                () -> vet(arguments),
                running -> run(running, arguments, results));
        return refused == null ? Answers.result(inFlight.request(), results.toJson(), client) : refused;
    }

    private static void vet(JsonValue arguments) {
        OwnTools.onlyKnown(arguments, List.of("steps", "continue_on_error"));
        JsonValue steps = arguments.member("steps");
        int count =
                steps == null || !steps.is(Kind.ARRAY) ? 0 : steps.elements().size();
        if (steps == null || count < 1 || count > MAX_STEPS) {
            throw OwnTools.invalid(
                    "'steps' is not an array of 1 to " + MAX_STEPS + " steps", "Send more in another call");
        }
        JsonValue flag = arguments.member("continue_on_error");
        if (flag != null && !flag.is(Kind.TRUE) && !flag.is(Kind.FALSE)) {
            throw OwnTools.invalid("'continue_on_error' is neither true nor false", "Leave it out for false");
        }
        for (JsonValue step : steps.elements()) {
            OwnTools.onlyKnown(step, List.of("tool", "arguments"));
            JsonValue inner = step.member("arguments");
            if (step.string("tool") == null || (inner != null && !inner.is(Kind.OBJECT))) {
                throw OwnTools.invalid(
                        "a step is not {\"tool\":\"name\",\"arguments\":{…}}", "Name the tool as tools/list does");
            }
            if (NAME.equals(step.string("tool"))) {
                throw OwnTools.invalid("a step cannot be " + NAME + " itself", "List its steps here");
            }
        }
    }

    private void run(InFlight inFlight, JsonValue arguments, StepResults results) {
        JsonValue listed = requireNonNull(arguments.member("steps"));
        List<JsonValue> steps = listed.elements();
        JsonValue flag = arguments.member("continue_on_error");
        boolean goesOn = flag != null && flag.is(Kind.TRUE);
        StepOutputs outputs = new StepOutputs();
        StepExchange exchange = new StepExchange(inFlight.exchange(), inFlight.progressToken(), steps.size());
        for (JsonValue step : steps) {
            String tool = String.valueOf(step.string("tool"));
            if (inFlight.cancellation().isFired() || (results.hasFailed() && !goesOn)) {
                results.skipped(tool);
                continue;
            }
            exchange.begin(tool);
            Message request = request(inFlight.request(), step);
            InFlight serving = new InFlight(request, exchange, inFlight.cancellation(), outputs);
            Outbound answer = Failures.guarded(request, () -> one.apply(serving));
            outputs.add(results.add(tool, answer.message()));
        }
    }

    /** The step as the call it would be alone. Its arguments' bytes are those the agent sent. */
    private static Message request(Message outer, JsonValue step) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("name", step.string("tool"));
        JsonValue arguments = step.member("arguments");
        params.put("arguments", arguments == null ? Map.of() : arguments);
        JsonValue meta = outer.body() == null ? null : outer.body().member(MetaKeys.META);
        if (meta != null) {
            params.put(MetaKeys.META, meta);
        }
        return Message.parse(JsonRpc.request(Answers.idOf(outer), "tools/call", JsonWriter.write(params)));
    }
}
