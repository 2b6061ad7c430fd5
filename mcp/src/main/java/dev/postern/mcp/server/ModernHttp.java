package dev.postern.mcp.server;

import dev.postern.gate.call.Cancellation;
import dev.postern.json.JsonValue;
import dev.postern.mcp.relay.AnswerException;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.HeaderNames;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.io.IOException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;

/**
 * Streamable HTTP as of 2026-07-28: every request stands alone and says of itself what it needs. A response stream that
 * the client closes is a cancelled request.
 */
final class ModernHttp {
    private final Relay relay;
    private final McpSettings settings;

    ModernHttp(Relay relay, McpSettings settings) {
        this.relay = relay;
        this.settings = settings;
    }

    /** Whether a POST is of this era: it says so in its {@code _meta}, or names a revision in a header that is no older one. */
    boolean isMeant(Request request, Incoming incoming) {
        if (incoming.isBatch()) {
            return false;
        }
        Message message = incoming.single();
        JsonValue params = message.body();
        if (params != null && params.path(MetaKeys.META, MetaKeys.PROTOCOL_VERSION) != null) {
            return true;
        }
        String version = request.getHeaders().get(HeaderNames.PROTOCOL_VERSION);
        return version != null
                && !ProtocolVersion.isSpoken(Era.LEGACY, version)
                && !message.method().equals("initialize")
                && !request.getHeaders().contains(HeaderNames.SESSION_ID);
    }

    void post(Visit visit, Incoming incoming) throws IOException, InterruptedException {
        Message message = incoming.single();
        switch (message.type()) {
            case RESULT, ERROR ->
                visit.problem(HttpStatus.BAD_REQUEST_400, "this revision has no responses from clients");
            case NOTIFICATION -> {
                relay.acceptModern(visit.caller(), visit.scope(), message);
                visit.done(HttpStatus.ACCEPTED_202);
            }
            case REQUEST -> request(visit, message);
        }
    }

    private void request(Visit visit, Message message) throws IOException, InterruptedException {
        try {
            ModernHeaders.check(visit::header, message);
        } catch (AnswerException e) {
            visit.problem(HttpStatus.BAD_REQUEST_400, message.id(), e.code(), String.valueOf(e.getMessage()), e.data());
            return;
        }
        Cancellation cancellation = new Cancellation();
        HttpExchange exchange = new HttpExchange(
                visit.response(),
                ModernHeaders.parameters(visit.request()),
                visit.accepted().events(),
                ModernHttp::status,
                settings.heartbeat());
        try {
            exchange.serve(() -> relay.answerModern(visit.caller(), visit.scope(), message, exchange, cancellation));
        } catch (IOException e) {
            cancellation.fire();
            throw e;
        }
        visit.callback().succeeded();
    }

    private static int status(Outbound answer) {
        Message message = answer.message();
        JsonValue error = message.type() == Message.Type.ERROR ? message.body() : null;
        JsonValue code = error == null ? null : error.member("code");
        if (code == null) {
            return HttpStatus.OK_200;
        }
        return switch (code.spelling()) {
            case "" + JsonRpc.METHOD_NOT_FOUND -> HttpStatus.NOT_FOUND_404;
            case "" + JsonRpc.HEADER_MISMATCH,
                    "" + JsonRpc.MISSING_CLIENT_CAPABILITY,
                    "" + JsonRpc.UNSUPPORTED_PROTOCOL_VERSION -> HttpStatus.BAD_REQUEST_400;
            default -> HttpStatus.OK_200;
        };
    }
}
