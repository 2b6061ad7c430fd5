package dev.postern.mcp.relay;

import dev.postern.gate.scrub.Raw;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.wire.Message;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A modern server that needs more input, behind a legacy client: each of its input requests becomes a request to the
 * client, and the original request is sent again with the answers, until it is complete (2026-07-28, "Multi Round-Trip
 * Requests").
 */
final class InputRounds {
    /** The methods whose results may ask for input. */
    static final Set<String> METHODS = Set.of("tools/call", "prompts/get", "resources/read");

    private static final int MAX_ROUNDS = 100;

    private final ServerLink link;
    private final ClientRequests client;

    InputRounds(ServerLink link, ClientRequests client) {
        this.link = link;
        this.client = client;
    }

    /**
     * Goes on until an answer asks for nothing.
     *
     * @param first the answer to the request as the agent sent it
     * @param again sends the request once more, with a further edit of its params
     */
    Raw complete(InFlight inFlight, Raw first, Function<UnaryOperator<ParamsEdit>, Raw> again) {
        Raw answer = first;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            if (!link.asksForInput(answer)) {
                return answer;
            }
            Message message = link.clean(answer).message();
            JsonValue result = message.type() == Message.Type.RESULT ? message.body() : null;
            if (result == null) {
                return answer;
            }
            byte[] inputs = inputs(inFlight, result.member("inputRequests"));
            byte[] state = state(result.string("requestState"));
            answer = again.apply(edit -> {
                edit.remove(Set.of("inputResponses", "requestState")).add("inputResponses", inputs);
                return state == null ? edit : edit.add("requestState", state);
            });
        }
        throw failed("the server asked for input again and again");
    }

    /** The server's own state behind our handle; null if it gave none. */
    private byte @Nullable [] state(@Nullable String handle) {
        return handle == null
                ? null
                : link.open(handle)
                        .filter(opened -> opened.hasState())
                        .map(opened -> opened.state())
                        .orElse(null);
    }

    /** Asks the client everything the server wants to know: an object of results under the server's keys. */
    private byte[] inputs(InFlight inFlight, @Nullable JsonValue requests) {
        List<JsonValue[]> wanted = new ArrayList<>();
        if (requests != null) {
            requests.forEachMember((key, request) -> wanted.add(new JsonValue[] {key, request}));
        }
        ByteArrayOutputStream inputs = new ByteArrayOutputStream();
        inputs.write('{');
        for (JsonValue[] one : wanted) {
            if (inputs.size() > 1) {
                inputs.write(',');
            }
            inputs.writeBytes(one[0].bytes());
            inputs.write(':');
            inputs.writeBytes(input(inFlight, one[1]));
        }
        inputs.write('}');
        return inputs.toByteArray();
    }

    private byte[] input(InFlight inFlight, JsonValue request) {
        String method = request.string("method");
        JsonValue params = request.member("params");
        Message response = method == null
                ? null
                : client.ask(inFlight, method, params == null || !params.is(Kind.OBJECT) ? null : params.bytes());
        if (inFlight.cancellation().isFired()) {
            throw new UpstreamException(UpstreamException.Kind.CANCELLED, "the agent cancelled the request");
        }
        JsonValue body = response == null ? null : response.body();
        if (response != null && body != null && response.type() == Message.Type.RESULT) {
            return body.bytes();
        }
        if ("elicitation/create".equals(method)) {
            return "{\"action\":\"cancel\"}".getBytes(StandardCharsets.US_ASCII);
        }
        throw failed("the client did not give what the server asked for");
    }

    private static UpstreamException failed(String what) {
        return new UpstreamException(UpstreamException.Kind.FAILED, what);
    }
}
