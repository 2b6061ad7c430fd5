package dev.postern.mcp.server;

import dev.postern.mcp.relay.AnswerException;
import dev.postern.mcp.relay.Exchange;
import dev.postern.mcp.relay.LegacyConversation;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.server.LegacySessions.Session;
import dev.postern.mcp.server.LegacySessions.Use;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.HeaderNames;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.ProtocolVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * Streamable HTTP as of 2025-03-26 to 2025-11-25: a session from {@code initialize} to {@code DELETE}, a POST a message
 * (or a batch, in 2025-03-26), a GET for what the server says on its own. A connection that drops is no cancellation.
 */
final class LegacyHttp implements AutoCloseable {
    private static final String WITH_BATCHES = "2025-03-26";
    /** Clients of older revisions may take an event without a message for a broken one. */
    private static final String WITH_EMPTY_EVENTS = "2025-11-25";

    private final Relay relay;
    private final McpSettings settings;
    private final LegacySessions sessions;
    /** Requests that servers work on, whether or not their connections are open still. */
    private final AgentShares working;

    LegacyHttp(Relay relay, McpSettings settings, LongSupplier nanoTime) {
        this.relay = relay;
        this.settings = settings;
        this.sessions = new LegacySessions(settings.maxSessionsPerAgent(), nanoTime);
        this.working = new AgentShares(settings.maxOpenPerAgent());
    }

    void post(Visit visit, Incoming incoming) throws IOException, InterruptedException {
        if (!incoming.isBatch() && incoming.single().method().equals("initialize")) {
            initialize(visit, incoming.single());
            return;
        }
        try (Use use = enter(visit)) {
            if (use != null) {
                post(visit, incoming, use.session());
            }
        }
    }

    private void post(Visit visit, Incoming incoming, Session session) throws IOException, InterruptedException {
        LegacyConversation conversation = session.conversation();
        if (incoming.isBatch() && !conversation.version().equals(WITH_BATCHES)) {
            visit.problem(
                    HttpStatus.BAD_REQUEST_400,
                    "protocol version " + conversation.version() + " has no batches: send one message a POST");
            return;
        }
        if (incoming.requests() == 0) {
            incoming.messages().forEach(conversation::accept);
            visit.done(HttpStatus.ACCEPTED_202);
            return;
        }
        if (!working.take(visit.caller().agent(), incoming.requests())) {
            visit.response().getHeaders().put(HttpHeader.RETRY_AFTER, "5");
            visit.problem(
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "this agent has " + settings.maxOpenPerAgent()
                            + " requests under way, some without a connection: cancel some first");
            return;
        }
        if (conversation.version().equals(WITH_EMPTY_EVENTS) && visit.accepted().events()) {
            ResumableExchange exchange = new ResumableExchange(session.streams(), visit.response(), settings);
            exchange.serve(working(visit, incoming, () -> conversation.answer(incoming.single(), exchange)));
        } else {
            HttpExchange exchange = exchange(visit);
            exchange.serve(working(
                    visit,
                    incoming,
                    () -> incoming.isBatch()
                            ? batch(conversation, incoming.messages(), exchange)
                            : conversation.answer(incoming.single(), exchange)));
        }
        visit.callback().succeeded();
    }

    /** Work that gives its agent's share back when it ends, which may be long after its connection broke. */
    private Supplier<@Nullable Outbound> working(Visit visit, Incoming incoming, Supplier<@Nullable Outbound> work) {
        return () -> {
            try {
                return work.get();
            } finally {
                working.giveBack(visit.caller().agent(), incoming.requests());
            }
        };
    }

    private void initialize(Visit visit, Message message) throws IOException, InterruptedException {
        if (message.type() != Message.Type.REQUEST) {
            visit.problem(HttpStatus.BAD_REQUEST_400, "initialize is a request: give it an id");
            return;
        }
        Session session;
        try {
            session = sessions.open(visit.caller(), () -> relay.open(visit.caller(), visit.scope(), message));
        } catch (AnswerException e) {
            visit.problem(HttpStatus.BAD_REQUEST_400, message.id(), e.code(), String.valueOf(e.getMessage()), e.data());
            return;
        }
        if (session == null) {
            visit.problem(
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "this agent has " + settings.maxSessionsPerAgent()
                            + " sessions open: end those that are done with DELETE");
            return;
        }
        if (!EventStream.isGood(visit.request())) {
            sessions.end(session); // the key was revoked after it was read, and before there was a session to end
        }
        visit.response().getHeaders().put(HeaderNames.SESSION_ID, session.id());
        exchange(visit).serve(() -> {
            Outbound greeting = session.conversation().greet(message);
            if (greeting.message().type() == Message.Type.ERROR) {
                sessions.end(session);
            }
            return greeting;
        });
        visit.callback().succeeded();
    }

    /** Messages of a batch side by side; the answers in one array. Null if every request was cancelled. */
    private static @Nullable Outbound batch(
            LegacyConversation conversation, List<Message> messages, Exchange exchange) {
        List<Outbound> answers = new ArrayList<>();
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<@Nullable Outbound>> open = new ArrayList<>();
            for (Message message : messages) {
                if (message.type() == Message.Type.REQUEST) {
                    open.add(each.submit(() -> conversation.answer(message, exchange)));
                } else {
                    conversation.accept(message);
                }
            }
            for (Future<@Nullable Outbound> future : open) {
                Outbound answer = future.get();
                if (answer != null) {
                    answers.add(answer);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a request of a batch failed", e.getCause());
        }
        if (answers.isEmpty()) {
            return null;
        }
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        for (Outbound answer : answers) {
            array.write(array.size() == 0 ? '[' : ',');
            array.writeBytes(answer.bytes());
        }
        array.write(']');
        return Outbound.ours(array.toByteArray());
    }

    /**
     * A response stream that is taken up again, or the stream of what belongs to no request, which is open until the
     * client or the session ends.
     */
    void get(Visit visit) throws IOException, InterruptedException {
        if (!visit.accepted().events()) {
            visit.problem(HttpStatus.NOT_ACCEPTABLE_406, "a GET here is answered with 'text/event-stream' only");
            return;
        }
        try (Use use = enter(visit)) {
            if (use == null) {
                return;
            }
            Session session = use.session();
            ResumableStreams.Position position = session.streams().find(visit.header(HeaderNames.LAST_EVENT_ID));
            if (position != null && !position.stream().isListened()) {
                ResumableExchange.resume(position, visit.response(), settings.heartbeat());
            } else {
                listen(session, position, visit.response());
            }
            visit.callback().succeeded();
        }
    }

    private void listen(Session session, ResumableStreams.@Nullable Position position, Response response)
            throws IOException, InterruptedException {
        LegacyConversation conversation = session.conversation();
        ResumableStream stream = position == null ? session.streams().createListened() : position.stream();
        boolean primed = position == null && conversation.version().equals(WITH_EMPTY_EVENTS);
        new ListeningStream(conversation.mailbox(), stream, settings.heartbeat())
                .serve(response, position == null ? 0 : position.after(), primed);
    }

    void delete(Visit visit) {
        try (Use use = enter(visit)) {
            if (use != null) {
                sessions.end(use.session());
                visit.done(HttpStatus.OK_200);
            }
        }
    }

    /** Goes to work in the session that a request belongs to; null after saying what is wrong. */
    private @Nullable Use enter(Visit visit) {
        String version = visit.header(HeaderNames.PROTOCOL_VERSION);
        if (version != null && !ProtocolVersion.isSpoken(Era.LEGACY, version)) {
            visit.problem(
                    HttpStatus.BAD_REQUEST_400,
                    "the MCP-Protocol-Version header names no revision that has sessions and is spoken here");
            return null;
        }
        String id = visit.header(HeaderNames.SESSION_ID);
        if (id == null) {
            visit.problem(
                    HttpStatus.BAD_REQUEST_400,
                    "the Mcp-Session-Id header is missing: send 'initialize' first, then the id it was answered with");
            return null;
        }
        Use use = sessions.enter(id, visit.caller(), visit.scope());
        if (use == null) {
            visit.problem(HttpStatus.NOT_FOUND_404, "this session has ended: send 'initialize' to begin another");
        }
        return use;
    }

    private HttpExchange exchange(Visit visit) {
        return new HttpExchange(
                visit.response(), null, visit.accepted().events(), answer -> HttpStatus.OK_200, settings.heartbeat());
    }

    void tidy() {
        sessions.endIdle(relay.settings().idleSession());
    }

    void endOf(String agent) {
        sessions.endOf(agent);
    }

    int openSessions() {
        return sessions.size();
    }

    @Override
    public void close() {
        sessions.close();
    }
}
