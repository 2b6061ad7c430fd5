package dev.postern.mcp.relay;

import dev.postern.gate.call.Cancellation;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.client.ServerListener.Reply;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The flights of one modern agent: those whose client has to come back with input, by the handle that it was given. */
final class Flights {
    private static final String PREFIX = "postern-flight.";
    private static final Map<String, String> CAPABILITIES =
            Map.of("sampling/createMessage", "sampling", "elicitation/create", "elicitation", "roots/list", "roots");

    private final JsonValue capabilities;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Flight> parked = new ConcurrentHashMap<>();

    /** @param capabilities what the client can be asked */
    Flights(JsonValue capabilities) {
        this.capabilities = capabilities;
    }

    /** Whether a request may be interrupted by questions of its server. */
    boolean mayBeAsked(Message request) {
        return InputRounds.METHODS.contains(request.method())
                && CAPABILITIES.values().stream().anyMatch(capability -> capabilities.member(capability) != null);
    }

    /** A server asks something on account of a request; what the client cannot answer is refused at once. */
    void ask(@Nullable InFlight related, String method, Outbound request, Reply reply) {
        String capability = CAPABILITIES.get(method);
        if (related != null
                && related.exchange().carrier() instanceof Flight flight
                && capability != null
                && capabilities.member(capability) != null) {
            flight.ask(request, reply);
        } else {
            reply.send(JsonRpc.error(null, JsonRpc.METHOD_NOT_FOUND, "the client cannot be asked this", null));
        }
    }

    /**
     * Serves a request, or a further round of one.
     *
     * @param work serves it, given the flight as its exchange
     */
    Outbound serve(Message request, Exchange exchange, Cancellation dropped, Function<InFlight, Outbound> work) {
        Flight flight = parked(request);
        if (flight == null) {
            Flight begun = new Flight(request, exchange);
            begun.begin(() -> work.apply(new InFlight(request, begun, begun.cancellation())));
            flight = begun;
        }
        try {
            Outbound answer = flight.proceed(request, exchange, dropped);
            return answer == null
                    ? inputRequired(request, flight)
                    : answer.edited(message -> message.withId(Answers.idOf(request)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            flight.cancellation().fire();
            throw new AnswerException(JsonRpc.INTERNAL_ERROR, "the gateway is stopping: send the request again later");
        }
    }

    private @Nullable Flight parked(Message request) {
        String handle = request.body() == null ? null : request.body().string("requestState");
        if (handle == null || !handle.startsWith(PREFIX)) {
            return null;
        }
        Flight flight = parked.get(handle);
        if (flight == null || !flight.isContinuedBy(request) || !parked.remove(handle, flight)) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS,
                    "params.requestState is too old or belongs to another request: send the request without it to begin anew");
        }
        return flight;
    }

    private Outbound inputRequired(Message request, Flight flight) {
        byte[] bytes = new byte[24];
        random.nextBytes(bytes);
        String handle = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("resultType", "input_required");
        result.put("inputRequests", JsonValue.parse(flight.inputRequests()));
        result.put("requestState", handle);
        parked.put(handle, flight);
        return Answers.result(request, JsonWriter.write(result), Era.MODERN);
    }

    /** Gives up on clients that have not come back for so long. */
    void endIdle(Duration idle) {
        parked.forEach((handle, flight) -> {
            if (flight.isParkedFor(idle.toNanos()) && parked.remove(handle, flight)) {
                flight.cancellation().fire();
            }
        });
    }

    void close() {
        parked.values().forEach(flight -> flight.cancellation().fire());
        parked.clear();
    }
}
