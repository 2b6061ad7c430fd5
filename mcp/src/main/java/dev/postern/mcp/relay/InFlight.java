package dev.postern.mcp.relay;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Filling;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.wire.Message;
import org.jspecify.annotations.Nullable;

/** A request of an agent that is being served; the tag under which a server's related messages come back. */
final class InFlight {
    private final Message request;
    private final Exchange exchange;
    private final Cancellation cancellation;
    private final Filling filling;

    InFlight(Message request, Exchange exchange, Cancellation cancellation) {
        this(request, exchange, cancellation, Filling.NONE);
    }

    /** @param filling what comes into the arguments of a tool's call from elsewhere */
    InFlight(Message request, Exchange exchange, Cancellation cancellation, Filling filling) {
        this.request = request;
        this.exchange = exchange;
        this.cancellation = cancellation;
        this.filling = filling;
    }

    Filling filling() {
        return filling;
    }

    /** The same request, given up when {@code other} fires: not only the agent may want its call stopped. */
    InFlight under(Cancellation other) {
        return new InFlight(request, exchange, other, filling);
    }

    Message request() {
        return request;
    }

    Exchange exchange() {
        return exchange;
    }

    Cancellation cancellation() {
        return cancellation;
    }

    /** What tells requests apart by their ids, however those are spelled. */
    static String nameOf(@Nullable JsonValue id) {
        return id == null ? "" : id.is(Kind.STRING) ? '"' + id.string() : id.spelling();
    }

    /** The token under which the client takes progress notifications; null if it takes none. */
    @Nullable
    JsonValue progressToken() {
        JsonValue params = request.body();
        JsonValue token = params == null ? null : params.path("_meta", "progressToken");
        return token != null && (token.is(Kind.STRING) || token.is(Kind.NUMBER)) ? token : null;
    }
}
