package dev.postern.mcp.relay;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.json.Splice;
import dev.postern.mcp.client.ServerConnection.ClientFace;
import dev.postern.mcp.client.ServerListener.Reply;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.mcp.wire.Message;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One legacy client from {@code initialize} to its end: its own connection to each server it uses, started when it is
 * first used, and the requests that are open in both directions. Knows nothing of what carries it. Thread-safe.
 */
public final class LegacyConversation implements LinkEvents, ClientRequests, AutoCloseable {
    private static final Set<String> UNRELATED = Set.of(
            "notifications/tools/list_changed",
            "notifications/prompts/list_changed",
            "notifications/resources/list_changed",
            "notifications/resources/updated");

    private final Caller caller;
    private final Scope scope;
    private final String version;
    private final SessionLinks links;
    private final Routes routes;
    private final ServerRequests serverRequests = new ServerRequests();
    private final Mailbox mailbox = new Mailbox();
    private final LegacyFace face = new LegacyFace(mailbox::put);
    private final Map<String, InFlight> inFlight = new ConcurrentHashMap<>();
    private final Servers.Registration configuration;
    private final Stops stops;
    private final Duration clientAnswer;
    private volatile boolean closed;

    LegacyConversation(Relay relay, Caller caller, Scope scope, String version, ClientFace shown) {
        this.caller = caller;
        this.scope = scope;
        this.version = version;
        this.clientAnswer = relay.settings().clientAnswer();
        this.links = new SessionLinks(relay.servers(), name -> relay.link(name, caller, shown, this, this));
        this.routes = relay.routes(scope, caller, Era.LEGACY, links);
        this.configuration = relay.servers().onChange(this::configurationChanged);
        this.stops = relay.stops(caller, this::configurationChanged);
    }

    public Caller caller() {
        return caller;
    }

    /** The endpoint that it was opened on; it is good for no other. */
    public Scope scope() {
        return scope;
    }

    /** The revision agreed upon at {@code initialize}. */
    public String version() {
        return version;
    }

    /** What is to be said outside of any request. */
    public Mailbox mailbox() {
        return mailbox;
    }

    /** Whether any request is being served. */
    public boolean isBusy() {
        return !inFlight.isEmpty();
    }

    /** The answer to the {@code initialize} request that opened this conversation. */
    public Outbound greet(Message initialize) {
        return Failures.guarded(initialize, () -> switch (scope) {
            case Scope.All() -> Answers.result(initialize, Greetings.ours(version), Era.LEGACY);
            case Scope.One(String server) ->
                Answers.result(
                        initialize, Greetings.legacy(links.link(server).greeting(), server, version), Era.LEGACY);
        });
    }

    /** Answers a request. Null if the client cancelled it: then nothing may be said. */
    public @Nullable Outbound answer(Message request, Exchange exchange) {
        InFlight serving = new InFlight(request, exchange, new Cancellation());
        String id = InFlight.nameOf(request.id());
        if (inFlight.putIfAbsent(id, serving) != null) {
            return Answers.error(
                    request,
                    new AnswerException(
                            JsonRpc.INVALID_REQUEST, "a request with this id is still open: give each its own"));
        }
        try {
            if (closed) {
                serving.cancellation().fire();
            }
            Outbound answer = Failures.guarded(request, () -> serve(serving));
            return serving.cancellation().isFired() ? null : answer;
        } finally {
            inFlight.remove(id, serving);
        }
    }

    private Outbound serve(InFlight serving) {
        return serving.request().method().equals("logging/setLevel") ? setLevel(serving) : routes.answer(serving);
    }

    /** The level is kept for modern servers and for those that start later; legacy ones are told. */
    private Outbound setLevel(InFlight serving) {
        Message request = serving.request();
        if (scope instanceof Scope.One(String server) && links.link(server).era() == Era.LEGACY) {
            Outbound answer = routes.answer(serving);
            if (answer.message().type() == Message.Type.RESULT) {
                face.setLevel(request);
            }
            return answer;
        }
        face.setLevel(request);
        byte[] level = face.levelParams();
        links.forEach(link -> {
            if (link.isRunning() && link.era() == Era.LEGACY && level != null) {
                setLevel(link, level);
            }
        });
        return LegacyFace.done(request);
    }

    private static void setLevel(ServerLink link, byte[] level) {
        Message own =
                Message.parse(JsonRpc.request("0".getBytes(StandardCharsets.US_ASCII), "logging/setLevel", level));
        try {
            link.request("logging/setLevel", level, new InFlight(own, message -> false, new Cancellation()));
        } catch (UpstreamException | ScrubFailedException e) {
            // A server without logging has nothing to set.
        }
    }

    /** Takes a notification or a response of the client. */
    public void accept(Message message) {
        if (message.type() == Message.Type.RESULT || message.type() == Message.Type.ERROR) {
            serverRequests.answer(message);
            return;
        }
        if (!message.isNamedNotification()) {
            return; // a call that is no request would be judged by nobody
        }
        JsonValue params = message.body();
        switch (message.method()) {
            case "notifications/initialized" -> {} // each server had a handshake of its own
            case "notifications/cancelled" -> cancel(params);
            default -> {
                byte[] forwarded = params == null ? null : params.bytes();
                links.forEach(link -> link.notify(message.method(), forwarded));
            }
        }
    }

    private void cancel(@Nullable JsonValue params) {
        JsonValue id = params == null ? null : params.member("requestId");
        InFlight cancelled = inFlight.get(InFlight.nameOf(id));
        if (cancelled != null) {
            cancelled.cancellation().fire();
        }
    }

    @Override
    public void notification(ServerLink link, Outbound message, String method, @Nullable InFlight related) {
        if (method.equals("notifications/cancelled")) {
            cancelled(link, message);
            return;
        }
        InFlight carrier = related == null && !UNRELATED.contains(method) ? link.newest() : related;
        if (carrier == null || !carrier.exchange().send(message)) {
            mailbox.put(message);
        }
    }

    /** A server withdraws a request it made: the client knows that one by an id of ours. */
    private void cancelled(ServerLink link, Outbound message) {
        JsonValue params = message.message().body();
        JsonValue id = params == null ? null : params.member("requestId");
        String ours = id == null ? null : serverRequests.cancel(link, id.spelling());
        if (id != null && ours != null) {
            mailbox.put(message.edited(read -> new Splice(read.bytes())
                    .replace(id, ours.getBytes(StandardCharsets.US_ASCII))
                    .apply()));
        }
    }

    @Override
    public void request(ServerLink link, Outbound message, String method, @Nullable InFlight related, Reply reply) {
        Outbound request = serverRequests.register(link, message, reply);
        if (request == null) {
            return;
        }
        InFlight carrier = related == null ? link.newest() : related;
        if (carrier != null && carrier.exchange().send(request)) {
            return;
        }
        if (!mailbox.put(request)) {
            serverRequests.fail(request);
        }
    }

    /** Asks the client on behalf of a server that cannot do so itself; waits for as long as the settings allow. */
    @Override
    public @Nullable Message ask(InFlight inFlight, String method, byte @Nullable [] params) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        byte[] asked = JsonRpc.request("0".getBytes(StandardCharsets.US_ASCII), method, params);
        Outbound request = serverRequests.register(null, Outbound.ours(asked), answer::complete);
        if (request == null) {
            return null;
        }
        if (!inFlight.exchange().send(request) && !mailbox.put(request)) {
            serverRequests.fail(request);
        }
        try (var _ = inFlight.cancellation().onFire(() -> serverRequests.fail(request))) {
            return Message.parse(answer.get(clientAnswer.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (TimeoutException | ExecutionException | MalformedMessageException e) {
            serverRequests.fail(request);
            return null;
        }
    }

    @Override
    public @Nullable String logLevel() {
        return face.logLevel();
    }

    @Override
    public Outbound subscribe(ServerLink link, Message request) {
        return face.subscribe(link, request);
    }

    @Override
    public void started(ServerLink link) {
        if (link.era() == Era.MODERN) {
            face.started(link);
            return;
        }
        byte[] level = face.levelParams();
        if (level != null && link.offers("logging")) {
            Thread.ofVirtual().name("mcp-level").start(() -> setLevel(link, level));
        }
    }

    @Override
    public void restarted(ServerLink link) {
        for (String kind : ListChanges.KINDS) {
            if (link.offers(kind)) {
                mailbox.put(ListChanges.of(kind));
            }
        }
    }

    /** Nobody waits any more for the answers to what the server has asked. */
    @Override
    public void closed(ServerLink link) {
        for (String id : serverRequests.forget(link)) {
            byte[] params = ("{\"requestId\":" + id + ",\"reason\":\"the server that asked has ended\"}")
                    .getBytes(StandardCharsets.US_ASCII);
            mailbox.put(Outbound.ours(JsonRpc.notification("notifications/cancelled", params)));
        }
    }

    private void configurationChanged(Set<String> changed) {
        links.restart(changed);
        boolean concerned = switch (scope) {
            case Scope.All() -> true;
            case Scope.One(String server) -> changed.contains(server);
        };
        if (concerned) {
            ListChanges.KINDS.forEach(kind -> mailbox.put(ListChanges.of(kind)));
        }
    }

    /** The client still hears what it asked for, and can answer nothing any more: whatever waits for its answer is told so. */
    public void clientSaysNoMore() {
        serverRequests.close();
    }

    /** Ends it: open requests are cancelled, its servers stopped. Idempotent. */
    @Override
    public void close() {
        closed = true;
        configuration.close();
        stops.close();
        inFlight.values().forEach(serving -> serving.cancellation().fire());
        serverRequests.close();
        face.close();
        mailbox.close();
        links.close();
    }
}
