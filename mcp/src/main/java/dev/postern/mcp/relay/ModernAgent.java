package dev.postern.mcp.relay;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.json.JsonValue;
import dev.postern.mcp.client.ServerConnection.ClientFace;
import dev.postern.mcp.client.ServerListener.Reply;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What modern requests of one agent have in common that declare the same client capabilities: the connections to its
 * servers, kept while they are used. Each request stands alone otherwise. Thread-safe.
 */
final class ModernAgent implements LinkEvents, AutoCloseable {
    /** Methods of the legacy era that the modern one dropped; a legacy server might know them all the same. */
    private static final Set<String> DROPPED =
            Set.of("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe");

    private final Relay relay;
    private final Caller caller;
    private final SessionLinks links;
    private final Map<Scope, Routes> routes = new ConcurrentHashMap<>();
    private final Servers.Registration configuration;
    private final Stops stops;
    private final Flights flights;
    private final Subscriptions subscriptions = new Subscriptions();
    private final AtomicInteger users = new AtomicInteger();

    ModernAgent(Relay relay, Caller caller, ClientFace face) {
        this.relay = relay;
        this.caller = caller;
        this.links = new SessionLinks(relay.servers(), name -> relay.link(name, caller, face, this, null));
        this.flights = new Flights(face.capabilities());
        this.configuration = relay.servers().onChange(this::configurationChanged);
        this.stops = relay.stops(caller, this::configurationChanged);
    }

    /** Answers one request. */
    Outbound answer(Message request, Scope scope, Exchange exchange, Cancellation cancellation) {
        return Failures.guarded(request, () -> {
            if (DROPPED.contains(request.method())) {
                throw new AnswerException(
                        JsonRpc.METHOD_NOT_FOUND, "this method is none of protocol version 2026-07-28");
            }
            if (request.method().equals("server/discover")) {
                return Answers.result(request, discover(scope), Era.MODERN);
            }
            if (request.method().equals("subscriptions/listen")) {
                return subscriptions.listen(new InFlight(request, exchange, cancellation), scope, links);
            }
            Routes routed = routes.computeIfAbsent(scope, made -> relay.routes(made, caller, Era.MODERN, links));
            return flights.mayBeAsked(request)
                    ? flights.serve(
                            request,
                            exchange,
                            cancellation,
                            serving -> Failures.guarded(request, () -> routed.answer(serving)))
                    : routed.answer(new InFlight(request, exchange, cancellation));
        });
    }

    private void configurationChanged(Set<String> changed) {
        links.restart(changed);
        changed.forEach(this::listsChanged);
    }

    private void listsChanged(String server) {
        ListChanges.KINDS.forEach(
                kind -> subscriptions.changed(server, ListChanges.of(kind), ListChanges.method(kind)));
    }

    private byte[] discover(Scope scope) {
        return switch (scope) {
            case Scope.All() -> Greetings.oursModern();
            case Scope.One(String server) -> Greetings.modern(links.link(server).greeting());
        };
    }

    /** Passes a notification on to the one server that it can mean. */
    void accept(Message message, Scope scope) {
        if (scope instanceof Scope.One(String server) && message.isNamedNotification()) {
            byte[] params = message.body() == null ? null : message.body().bytes();
            links.link(server).notify(message.method(), params);
        }
    }

    @Override
    public void notification(ServerLink link, Outbound message, String method, @Nullable InFlight related) {
        if (related != null) {
            related.exchange().send(message);
            return;
        }
        InFlight newest = link.newest();
        if (!method.equals("notifications/message")) {
            subscriptions.changed(link.name(), message, method);
        } else if (newest != null && wantsLog(newest)) {
            newest.exchange().send(message);
        }
    }

    private static boolean wantsLog(InFlight request) {
        JsonValue params = request.request().body();
        return params != null && params.path(MetaKeys.META, MetaKeys.LOG_LEVEL) != null;
    }

    @Override
    public void request(ServerLink link, Outbound message, String method, @Nullable InFlight related, Reply reply) {
        flights.ask(related == null ? link.newest() : related, method, message, reply);
    }

    @Override
    public void restarted(ServerLink link) {
        listsChanged(link.name());
    }

    @Override
    public void closed(ServerLink link) {
        // Requests that were open have failed; the next one starts the server again.
    }

    /** Someone is at work here until they {@link #leave()}. */
    ModernAgent entered() {
        users.incrementAndGet();
        return this;
    }

    void leave() {
        users.decrementAndGet();
    }

    /** Closes connections that nobody uses; true if none is left and nobody is here. */
    boolean isDeserted(Duration idle) {
        flights.endIdle(relay.settings().clientAnswer());
        boolean[] running = {false};
        links.forEach(link -> {
            if (subscriptions.isEmpty()) {
                link.endIfIdleFor(idle.toNanos());
            }
            running[0] |= link.isRunning();
        });
        return !running[0] && users.get() == 0;
    }

    @Override
    public void close() {
        configuration.close();
        stops.close();
        flights.close();
        subscriptions.close();
        links.close();
    }
}
