package dev.postern.mcp.server;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.mcp.relay.Answering;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.MalformedMessageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The MCP endpoint: {@code /mcp} and {@code /mcp/SERVER}. Authenticates, tells the eras apart, and hands over to
 * {@link LegacyHttp} or {@link ModernHttp}. Every request is served on a virtual thread of its own, which it may block for as long as
 * it takes.
 */
public final class McpHandler extends Handler.Abstract {
    private static final String ROOT = "/mcp";
    private static final int MIN_BYTES_PER_SECOND = 1_000;
    /** A client may be busy between its headers and its body. */
    private static final Duration UNHURRIED = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(McpHandler.class);

    private final Relay relay;
    private final Bearer bearer;
    private final McpSettings settings;
    private final LegacyHttp legacy;
    private final ModernHttp modern;
    private final RequestRates rates;
    private final AgentShares open;
    private final LongSupplier nanoTime;

    /** Serves by the system's own time. */
    public McpHandler(Relay relay, Bearer bearer, McpSettings settings) {
        this(relay, bearer, settings, System::nanoTime);
    }

    /**
     * Serves agents.
     *
     * @param nanoTime what slow messages, rates and idle sessions are measured by
     */
    public McpHandler(Relay relay, Bearer bearer, McpSettings settings, LongSupplier nanoTime) {
        this.relay = relay;
        this.bearer = bearer;
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.legacy = new LegacyHttp(relay, settings, nanoTime);
        this.modern = new ModernHttp(relay, settings);
        this.rates = new RequestRates(settings.maxRequestsPerSecond(), nanoTime);
        this.open = new AgentShares(settings.maxOpenPerAgent());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        ResourceServer tokens = bearer.tokens();
        if (tokens != null && path.startsWith(Challenges.METADATA_ROOT)) {
            String endpoint = path.substring(Challenges.METADATA_ROOT.length());
            if (endpoint.isEmpty() || isEndpoint(endpoint)) {
                Challenges.metadata(tokens, scope(endpoint), response, callback);
                return true;
            }
        }
        if (!isEndpoint(path)) {
            return false;
        }
        Scope scope = scope(path);
        switch (bearer.identify(request, scope)) {
            case Bearer.Identified.As(var caller, var unscoped) -> {
                EventStream.endsWith(
                        request, () -> !(bearer.identify(request, scope) instanceof Bearer.Identified.Nobody));
                serve(request, response, callback, caller, unscoped, scope);
            }
            case Bearer.Identified.Nobody(var why) -> {
                response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, Challenges.unauthorized(tokens, scope, why));
                Problems.write(
                        response,
                        callback,
                        HttpStatus.UNAUTHORIZED_401,
                        why == null
                                ? "an agent key is missing or unknown: send it as 'Authorization: Bearer KEY' ('postern agent add' makes one)"
                                : "the access token is not taken: " + why);
            }
            case Bearer.Identified.Unknown() -> {
                response.getHeaders().put(HttpHeader.RETRY_AFTER, "5");
                Problems.write(
                        response,
                        callback,
                        HttpStatus.SERVICE_UNAVAILABLE_503,
                        "the access token cannot be checked now: the issuer's keys cannot be fetched");
            }
        }
        return true;
    }

    private static boolean isEndpoint(String path) {
        return path.equals(ROOT) || path.startsWith(ROOT + "/");
    }

    private void serve(
            Request request,
            Response response,
            Callback callback,
            Caller caller,
            Set<Permission> unscoped,
            Scope scope) {
        if (scope instanceof Scope.One(String server)
                && !relay.servers().names().contains(server)) {
            Problems.write(
                    response,
                    callback,
                    HttpStatus.NOT_FOUND_404,
                    "no server of that name is configured: 'postern server list' shows the names");
            return;
        }
        if (!rates.take(caller.agent())) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
            Problems.write(
                    response,
                    callback,
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "this agent makes more than " + settings.maxRequestsPerSecond()
                            + " requests a second: slow down and send this one again");
            return;
        }
        if (!open.take(caller.agent())) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "5");
            Problems.write(
                    response,
                    callback,
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "this agent has " + settings.maxOpenPerAgent() + " responses open: finish or cancel some first");
            return;
        }
        OpenResponse counted = new OpenResponse(response, callback, () -> open.giveBack(caller.agent()));
        Visit visit = new Visit(request, counted, counted, caller, unscoped, scope);
        // The connection's thread ends here. A call may wait for a person, and that thread's stack and buffers would
        // wait with it.
        Thread.ofVirtual().name("mcp-visit").start(() -> {
            try {
                serve(visit);
            } catch (RuntimeException | Error e) {
                log.error("a request of {} failed unexpectedly", caller.agent(), e);
                counted.failed(e);
            } finally {
                counted.ended();
            }
        });
    }

    private void serve(Visit visit) {
        try {
            switch (visit.request().getMethod().toUpperCase(Locale.ROOT)) {
                case "POST" -> post(visit);
                case "GET" -> legacy.get(visit);
                case "DELETE" -> legacy.delete(visit);
                default -> {
                    visit.response().getHeaders().put(HttpHeader.ALLOW, "POST, GET, DELETE");
                    visit.problem(HttpStatus.METHOD_NOT_ALLOWED_405, "use POST, GET or DELETE here");
                }
            }
        } catch (MalformedMessageException e) {
            visit.problem(HttpStatus.BAD_REQUEST_400, null, e.code(), String.valueOf(e.getMessage()), null);
        } catch (IOException e) {
            visit.callback().failed(e); // the client is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            visit.callback().failed(e);
        }
    }

    private void post(Visit visit) throws IOException, InterruptedException {
        String type = visit.request().getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            visit.problem(HttpStatus.UNSUPPORTED_MEDIA_TYPE_415, "send the message as Content-Type: application/json");
            return;
        }
        if (!visit.accepted().json() && !visit.accepted().events()) {
            visit.problem(
                    HttpStatus.NOT_ACCEPTABLE_406, "send 'Accept: application/json, text/event-stream' with each POST");
            return;
        }
        byte[] body;
        try {
            body = body(visit.request());
        } catch (DrippingException e) {
            tooSlow(visit, "the message came too slowly: send at least " + MIN_BYTES_PER_SECOND + " bytes a second");
            return;
        } catch (IOException e) {
            if (!(e.getCause() instanceof TimeoutException)) {
                throw e;
            }
            tooSlow(visit, "the message stopped coming: send it again");
            return;
        }
        if (body == null) {
            visit.problem(
                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                    "the message is larger than " + settings.maxBodyBytes() + " bytes: send less at a time");
            return;
        }
        Incoming incoming = Incoming.parse(body);
        if (incoming.hasRequestWithoutId()) {
            visit.problem(
                    HttpStatus.BAD_REQUEST_400,
                    "a message without an id is a notification, whose method starts with 'notifications/': give a request an id");
            return;
        }
        if (lacksScope(visit, incoming)) {
            return;
        }
        boolean isModern = modern.isMeant(visit.request(), incoming);
        if (isModern && incoming.single().method().equals("subscriptions/listen")) {
            modern.post(visit, incoming);
            return;
        }
        try (Answering.Entry _ = relay.answering().enter()) {
            if (isModern) {
                modern.post(visit, incoming);
            } else {
                legacy.post(visit, incoming);
            }
        }
    }

    private static void tooSlow(Visit visit, String why) {
        visit.response().getHeaders().put(HttpHeader.CONNECTION, "close");
        visit.problem(HttpStatus.REQUEST_TIMEOUT_408, why);
    }

    /** A token that was not given what a call needs is told so at once: its client can ask for more. */
    private boolean lacksScope(Visit visit, Incoming incoming) {
        ResourceServer tokens = bearer.tokens();
        if (tokens == null || visit.unscoped().isEmpty()) {
            return false;
        }
        Set<Permission> needed = Challenges.needed(incoming.messages());
        if (Collections.disjoint(needed, visit.unscoped())) {
            return false;
        }
        visit.response()
                .getHeaders()
                .put(HttpHeader.WWW_AUTHENTICATE, Challenges.insufficient(tokens, visit.scope(), needed));
        visit.problem(
                HttpStatus.FORBIDDEN_403,
                "the access token lacks a scope that this call needs: ask for " + tokens.scopes(needed));
        return true;
    }

    /**
     * The whole body; null if it is larger than the limit.
     *
     * @throws DrippingException if it comes so slowly that the connection is held for nothing; silence ends by the idle timeout
     */
    private byte @Nullable [] body(Request request) throws IOException, DrippingException {
        int most = settings.maxBodyBytes();
        if (request.getLength() > most) {
            return null;
        }
        long begun = nanoTime.getAsLong();
        ByteArrayOutputStream body = new ByteArrayOutputStream((int) Math.max(1_024, request.getLength()));
        try (InputStream in = Content.Source.asInputStream(request)) {
            byte[] chunk = new byte[16 << 10];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                body.write(chunk, 0, read);
                if (body.size() > most) {
                    return null;
                }
                Duration elapsed = Duration.ofNanos(nanoTime.getAsLong() - begun);
                if (elapsed.compareTo(UNHURRIED) > 0 && body.size() < elapsed.toSeconds() * MIN_BYTES_PER_SECOND) {
                    throw new DrippingException();
                }
            }
        }
        return body.toByteArray();
    }

    /** Said by {@link #body} alone. */
    private static final class DrippingException extends Exception {
        DrippingException() {
            super(null, null, false, false);
        }
    }

    private static Scope scope(String path) {
        if (path.length() <= ROOT.length() + 1) {
            return new Scope.All();
        }
        String name = path.substring(ROOT.length() + 1);
        return new Scope.One(URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8));
    }

    /** Ends what has been idle for too long. Called now and then by {@link McpServer}. */
    void tidy() {
        rates.tidy();
        legacy.tidy();
        relay.tidy();
    }

    /** Ends every session and stream of an agent, whose key is no longer good. */
    public void endOf(String agent) {
        legacy.endOf(agent);
        relay.endOf(agent);
    }

    /** Ends every session and stream, so that the server can stop. */
    void endAll() {
        legacy.close();
        relay.close();
    }

    /** How many legacy sessions are open. */
    public int openSessions() {
        return legacy.openSessions();
    }
}
