package dev.postern.mcp.relay;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Filling;
import dev.postern.gate.call.Outcome;
import dev.postern.gate.call.Patience;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.flow.GovernedCall;
import dev.postern.gate.policy.Judged;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.substitute.Armed;
import dev.postern.gate.upstream.Upstream;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.catalog.OwnCall;
import dev.postern.mcp.catalog.OwnTool;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.HeaderParameters;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.reference.ReferenceFinder;
import dev.postern.secret.Reveal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code tools/call} through the gate. What leaves for the server is the agent's own params with two ranges replaced at
 * most: the name, where it was prefixed, and the arguments, where values were placed (R8).
 */
final class ToolCalls {
    private static final JsonValue NO_ARGUMENTS = JsonValue.parse("{}".getBytes(StandardCharsets.US_ASCII));

    private static final byte[] EMPTY_RESULT = "{\"content\":[]}".getBytes(StandardCharsets.US_ASCII);

    /** What the protocol has in a call's params. */
    private static final List<String> MEMBERS =
            List.of("name", "arguments", MetaKeys.META, "task", "requestState", "inputResponses");

    private final GovernedCall governed;
    private final ChokePoint chokePoint;
    private final RelaySettings settings;

    ToolCalls(GovernedCall governed, ChokePoint chokePoint, RelaySettings settings) {
        this.governed = governed;
        this.chokePoint = chokePoint;
        this.settings = settings;
    }

    /**
     * The tool a request names.
     *
     * @throws AnswerException if it names none, or has a member of the protocol's twice, or in upper case besides: a server
     *     that takes either, or the last of them, would read another call than was judged
     */
    static String toolOf(Message request) {
        JsonValue params = request.body();
        String name = params == null ? null : params.string("name");
        if (params == null || name == null) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS, "params.name is missing: name the tool to call as a string");
        }
        Set<String> seen = new HashSet<>();
        params.forEachMember((token, value) -> {
            String written = token.string();
            for (String member : MEMBERS) {
                if (!written.equalsIgnoreCase(member)) {
                    continue;
                }
                if (!written.equals(member)) {
                    throw new AnswerException(
                            JsonRpc.INVALID_PARAMS,
                            "a member of params is '" + member
                                    + "' in another spelling: spell it so, so that everyone reads the same");
                }
                if (!seen.add(member)) {
                    throw new AnswerException(
                            JsonRpc.INVALID_PARAMS,
                            "params." + member + " appears twice: send it once, so that everyone reads the same");
                }
            }
        });
        return name;
    }

    /** Calls a server's tool. */
    Outbound call(InFlight inFlight, Caller caller, Era client, ServerLink link, String tool) {
        JsonValue params = requireNonNull(inFlight.request().body());
        JsonValue arguments = argumentsOf(inFlight.request());
        checkHeaders(inFlight, link, tool, arguments);
        ApprovalRounds rounds = ApprovalRounds.of(chokePoint, params, client, caller.user());
        RequestState state = rounds.isReturning() ? RequestState.NONE : RequestState.of(params, link);
        ToolCall call = new ToolCall(
                CallId.random(),
                caller,
                new ToolName(link.name(), tool),
                arguments,
                definition(link, tool, arguments, inFlight),
                () -> latest(link, tool, inFlight),
                rounds.patience(patience(inFlight)));
        return run(
                call.continuing(state.continues()).filledBy(inFlight.filling()),
                (armed, cancellation) -> link.complete(
                        "tools/call",
                        () -> rounds.withoutOurs(edit(params, armed, tool, state)),
                        inFlight.under(cancellation)),
                inFlight,
                client,
                rounds);
    }

    /**
     * Nobody between the client and us may be led to believe something else than we do. A tool that was never listed is
     * looked up only where the client has headers for it, and knows it from an earlier list.
     */
    private static void checkHeaders(InFlight inFlight, ServerLink link, String tool, JsonValue arguments) {
        Map<String, String> headers = inFlight.exchange().headerParameters();
        if (headers == null || (headers.isEmpty() && !link.tools().known().contains(tool))) {
            return;
        }
        try {
            link.tools().definition(tool, inFlight);
        } catch (UpstreamException e) {
            return; // the call itself will say what is wrong with the server
        }
        String wrong =
                HeaderParameters.of(link.tools().known().inputSchema(tool)).mismatch(arguments, headers);
        if (wrong != null) {
            throw new AnswerException(
                    JsonRpc.HEADER_MISMATCH, "header mismatch: " + wrong + " is not what params.arguments says");
        }
    }

    /** Calls a tool of our own: governed like any other, under the server name {@value OwnTool#SERVER}. */
    Outbound callOwn(InFlight inFlight, Caller caller, Era client, OwnTool tool, ToolDefinition definition) {
        JsonValue arguments = argumentsOf(inFlight.request());
        JsonValue params = requireNonNull(inFlight.request().body());
        ApprovalRounds rounds = ApprovalRounds.of(chokePoint, params, client, caller.user());
        ToolCall call = new ToolCall(
                CallId.random(),
                caller,
                new ToolName(OwnTool.SERVER, tool.name()),
                arguments,
                definition,
                () -> definition,
                rounds.patience(patience(inFlight)));
        Upstream here = new Upstream() {
            @Override
            public void vet(Judged judged) {
                tool.vet(judged.call().arguments(), judged.referenced().bearsSecrets());
            }

            @Override
            public Raw execute(Armed armed, Cancellation cancellation) {
                JsonValue armedArguments = JsonValue.parse(armed.arguments(Reveal.TO_DELIVER));
                byte[] result = tool.call(new OwnCall(armed, armedArguments, cancellation));
                return Raw.received(JsonRpc.result(Answers.idOf(inFlight.request()), result));
            }
        };
        return run(call.naming(tool.names(arguments)).filledBy(inFlight.filling()), here, inFlight, client, rounds);
    }

    /**
     * Governs work that consists of calls of their own: the kill switch, the policy and the ledger know the whole by its tool,
     * and nothing in its arguments is resolved here.
     *
     * @param vet looks at the call before anyone is asked
     * @param work given the request, cancelled when this is
     * @return the refusal; null once the work is done
     */
    @Nullable
    Outbound around(
            InFlight inFlight,
            Caller caller,
            Era client,
            ToolName tool,
            ToolDefinition definition,
            JsonValue arguments,
            Runnable vet,
            Consumer<InFlight> work) {
        Filling whole = empty -> List.of(new Filling.Gap(empty.start(), empty.end(), arguments.bytes()));
        ToolCall call = new ToolCall(
                        CallId.random(), caller, tool, NO_ARGUMENTS, definition, () -> definition, patience(inFlight))
                .filledBy(whole);
        Upstream here = new Upstream() {
            @Override
            public void vet(Judged judged) {
                vet.run();
            }

            @Override
            public Raw execute(Armed armed, Cancellation cancellation) {
                work.accept(inFlight.under(cancellation));
                return Raw.received(JsonRpc.result(Answers.idOf(inFlight.request()), EMPTY_RESULT));
            }
        };
        return switch (governed.run(call, here)) {
            case Outcome.Answered(var ignored) -> null;
            case Outcome.Refused(var why) -> Answers.refusal(inFlight.request(), why, client);
        };
    }

    private Outbound run(ToolCall call, Upstream upstream, InFlight inFlight, Era client, ApprovalRounds rounds) {
        return switch (governed.run(call, upstream)) {
            case Outcome.Answered(var message) -> Answers.passOn(Outbound.of(message), inFlight.request(), client);
            case Outcome.Refused(var why) -> {
                Outbound question = rounds.question(inFlight.request(), why);
                yield question == null ? Answers.refusal(inFlight.request(), why, client) : question;
            }
        };
    }

    static JsonValue argumentsOf(Message request) {
        JsonValue params = request.body();
        JsonValue arguments = params == null ? null : params.member("arguments");
        return arguments == null ? NO_ARGUMENTS : arguments;
    }

    private static ParamsEdit edit(JsonValue params, Armed armed, String tool, RequestState state) {
        ParamsEdit edit = new ParamsEdit(params);
        JsonValue name = params.member("name");
        if (name != null && !tool.equals(name.string())) {
            edit.replace(name, JsonStrings.quote(tool).getBytes(StandardCharsets.UTF_8));
        }
        JsonValue arguments = params.member("arguments");
        if (arguments != null && (armed.isSubstituted() || armed.call().isRewritten())) {
            edit.replaceWithSecrets(arguments, armed.arguments(Reveal.TO_DELIVER));
        }
        return state.restore(edit);
    }

    /** Only a call with references needs the definition; then it is asked for before anyone is. */
    private static @Nullable ToolDefinition definition(
            ServerLink link, String tool, JsonValue arguments, InFlight inFlight) {
        if (!ReferenceFinder.mightContain(arguments.bytes())) {
            return null;
        }
        try {
            return link.tools().definition(tool, inFlight);
        } catch (UpstreamException e) {
            return null; // the call itself will say what is wrong with the server
        }
    }

    private static @Nullable ToolDefinition latest(ServerLink link, String tool, InFlight inFlight) {
        try {
            return link.tools().latestDefinition(tool, inFlight);
        } catch (UpstreamException e) {
            return null;
        }
    }

    private Patience patience(InFlight inFlight) {
        JsonValue token = inFlight.progressToken();
        if (token == null) {
            return new Patience(settings.approvalHold(), null, inFlight.cancellation());
        }
        Duration longer = settings.approvalTimeout().compareTo(settings.approvalHold()) > 0
                ? settings.approvalTimeout()
                : settings.approvalHold();
        return new Patience(
                longer,
                (elapsed, remaining) -> inFlight.exchange().send(waiting(token, elapsed, remaining)),
                inFlight.cancellation());
    }

    /** Thousandths, so that whatever the server counts later is likely to be more: progress must increase. */
    private static Outbound waiting(JsonValue token, Duration elapsed, Duration remaining) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("progressToken", token);
        params.put("progress", elapsed.toMillis() / 1_000_000.0);
        params.put("message", "Waiting for a person to approve this call, " + remaining.toSeconds() + " s left");
        return Outbound.ours(JsonRpc.notification("notifications/progress", JsonWriter.write(params)));
    }
}
