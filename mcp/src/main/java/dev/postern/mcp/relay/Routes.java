package dev.postern.mcp.relay;

import dev.postern.gate.agent.Caller;
import dev.postern.mcp.catalog.ListKind;
import dev.postern.mcp.catalog.OwnTool;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Which server answers a request, and under which name. On {@code /mcp/SERVER} that server answers everything but
 * {@code ping}; on {@code /mcp} it depends on the method.
 */
final class Routes {
    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.US_ASCII);

    private final Scope scope;
    private final Caller caller;
    private final Era client;
    private final Links links;
    private final ToolCalls toolCalls;
    private final Aggregate aggregate;
    private final TaskOwners taskOwners = new TaskOwners();

    Routes(Scope scope, Caller caller, Era client, Links links, ToolCalls toolCalls, Aggregate aggregate) {
        this.scope = scope;
        this.caller = caller;
        this.client = client;
        this.links = links;
        this.toolCalls = toolCalls;
        this.aggregate = aggregate;
    }

    /**
     * Answers one request.
     *
     * @throws AnswerException if we have to say that it cannot be answered
     * @throws dev.postern.gate.upstream.UpstreamException if its server did not answer
     * @throws dev.postern.scrub.ScrubFailedException if the answer may not be passed on (S10)
     */
    Outbound answer(InFlight inFlight) {
        Message request = inFlight.request();
        if (isMisspelled(request.method())) {
            throw new AnswerException(JsonRpc.METHOD_NOT_FOUND, "the method is spelled 'tools/call'");
        }
        if (request.method().equals("ping") && client == Era.LEGACY) {
            return Answers.result(request, EMPTY, client);
        }
        return switch (scope) {
            case Scope.One(String server) -> fromOne(links.link(server), inFlight);
            case Scope.All() -> fromAll(inFlight);
        };
    }

    /** Some servers may take it for a call all the same, which would be judged by nobody. */
    private static boolean isMisspelled(String method) {
        return !method.equals("tools/call") && method.strip().equalsIgnoreCase("tools/call");
    }

    private Outbound fromOne(ServerLink link, InFlight inFlight) {
        Message request = inFlight.request();
        if (request.method().equals("tools/call")) {
            return toolCalls.call(inFlight, caller, client, link, ToolCalls.toolOf(request));
        }
        Outbound answer = forward(link, inFlight);
        if (request.method().equals("tools/list")) {
            link.tools().known().learn(answer.message().body());
        }
        return answer;
    }

    private Outbound fromAll(InFlight inFlight) {
        Message request = inFlight.request();
        ListKind list = ListKind.of(request.method());
        if (list == ListKind.TASKS && client == Era.LEGACY) {
            return Answers.result(request, aggregate.list(list, inFlight, client, taskOwners::learnAll), client);
        }
        if (list != null && list != ListKind.TASKS) {
            return Answers.result(request, aggregate.list(list, inFlight, client, (server, page) -> {}), client);
        }
        return switch (request.method()) {
            case "tools/call" -> callByQualifiedName(inFlight);
            case "prompts/get" -> Answers.passOn(aggregate.getPrompt(inFlight), request, client);
            case "completion/complete" -> Answers.passOn(aggregate.complete(inFlight), request, client);
            case "resources/read", "resources/subscribe", "resources/unsubscribe" ->
                Answers.passOn(aggregate.byUri(inFlight), request, client);
            default -> {
                String owner = request.method().startsWith("tasks/") ? taskOwners.ownerOf(request) : null;
                if (owner != null && links.names().contains(owner)) {
                    yield forward(links.link(owner), inFlight);
                }
                if (links.names().size() == 1) {
                    yield forward(links.link(links.names().getFirst()), inFlight);
                }
                throw new AnswerException(
                        JsonRpc.METHOD_NOT_FOUND,
                        "no server is meant by '" + shortened(request.method()) + "': send it to /mcp/SERVER instead");
            }
        };
    }

    private Outbound callByQualifiedName(InFlight inFlight) {
        String name = ToolCalls.toolOf(inFlight.request());
        if (name.equals(Steps.NAME)) {
            return new Steps(toolCalls, this::callByQualifiedName, caller, client).answer(inFlight);
        }
        OwnTool own = aggregate.ownTools().find(name);
        if (own != null) {
            return toolCalls.callOwn(
                    inFlight, caller, client, own, aggregate.ownTools().definition(own));
        }
        Aggregate.@Nullable Target target = aggregate.tool(name, inFlight);
        if (target == null) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS,
                    "no tool has the name in params.name: tools/list shows the names, which are SERVER__TOOL here");
        }
        Outbound answer = toolCalls.call(inFlight, caller, client, target.link(), target.item());
        taskOwners.learn(target.link().name(), answer);
        return answer;
    }

    private Outbound forward(ServerLink link, InFlight inFlight) {
        Message request = inFlight.request();
        return Answers.passOn(link.forward(request.method(), request.body(), inFlight), request, client);
    }

    private static String shortened(String method) {
        return method.length() <= 80 ? method : method.substring(0, 80) + "…";
    }
}
