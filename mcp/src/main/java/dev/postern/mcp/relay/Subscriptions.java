package dev.postern.mcp.relay;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.json.Splice;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open {@code subscriptions/listen} streams of one modern agent. A modern server behind its own endpoint is listened to
 * directly; elsewhere, one stream hears of all servers: modern ones are listened to, legacy ones say their changes anyway
 * and are subscribed to by resource. Every message carries the id of the client's own request.
 */
final class Subscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<Cancellation> direct = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** One open stream. */
    private record Listener(
            InFlight inFlight,
            Scope scope,
            SubscriptionFilter filter,
            Map<ServerLink, SubscriptionFilter> modern,
            Set<ServerLink> legacy,
            List<Listening> upstream,
            CountDownLatch ended) {
        byte[] id() {
            return Answers.idOf(inFlight.request());
        }

        /** Nothing is told before what was agreed, nor left out after it. */
        synchronized void tell(Outbound message) {
            inFlight.exchange().send(message.edited(read -> withSubscription(read, id())));
        }
    }

    boolean isEmpty() {
        return listeners.isEmpty() && direct.isEmpty();
    }

    /** Serves a stream until the client closes it or {@link #close()}. */
    Outbound listen(InFlight inFlight, Scope scope, Links links) {
        Message request = inFlight.request();
        JsonValue params = request.body();
        SubscriptionFilter wanted = SubscriptionFilter.of(params == null ? null : params.member("notifications"));
        if (wanted == null) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS, "params.notifications is missing: name the changes to hear of");
        }
        if (scope instanceof Scope.One(String server) && links.link(server).era() == Era.MODERN) {
            return direct(inFlight, links.link(server));
        }
        Listener listener = new Listener(
                inFlight,
                scope,
                wanted,
                new LinkedHashMap<>(),
                new LinkedHashSet<>(),
                new ArrayList<>(),
                new CountDownLatch(1));
        SubscriptionFilter agreed = agree(listener, links);
        synchronized (listener) {
            listeners.add(listener);
            acknowledge(listener, agreed);
        }
        if (closed) {
            listener.ended.countDown();
        }
        try (var _ = inFlight.cancellation().onFire(listener.ended::countDown)) {
            listener.modern.forEach((link, part) -> listener.upstream.add(Listening.open(link, part, listener::tell)));
            subscribe(listener, "resources/subscribe");
            listener.ended.await();
            subscribe(listener, "resources/unsubscribe");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listeners.remove(listener);
            listener.upstream.forEach(Listening::close);
        }
        return ended(request);
    }

    /** The server's own stream, under the client's id. */
    private Outbound direct(InFlight inFlight, ServerLink link) {
        Message request = inFlight.request();
        byte[] id = Answers.idOf(request);
        Exchange renamed = message -> inFlight.exchange().send(message.edited(read -> withSubscription(read, id)));
        Cancellation ended = new Cancellation();
        direct.add(ended);
        if (closed) {
            ended.fire();
        }
        try (var _ = inFlight.cancellation().onFire(ended::fire)) {
            Outbound answer = link.forward(request.method(), request.body(), new InFlight(request, renamed, ended));
            return Answers.passOn(answer.edited(read -> withSubscription(read, id)), request, Era.MODERN);
        } catch (UpstreamException e) {
            if (ended.isFired()) {
                return ended(request);
            }
            throw e;
        } finally {
            direct.remove(ended);
        }
    }

    /** The answer that ends a stream gracefully. */
    private static Outbound ended(Message request) {
        Map<String, Object> meta = Map.of(MetaKeys.SUBSCRIPTION_ID, subscriptionId(request));
        return Answers.result(request, JsonWriter.write(Map.of(MetaKeys.META, meta)), Era.MODERN);
    }

    /** What can be promised, and whom to hear it from. */
    private SubscriptionFilter agree(Listener listener, Links links) {
        List<String> names = switch (listener.scope) {
            case Scope.All() -> links.names();
            case Scope.One(String server) -> List.of(server);
        };
        boolean all = listener.scope instanceof Scope.All;
        Set<String> uris = new LinkedHashSet<>();
        Set<String> tasks = new LinkedHashSet<>();
        boolean tools = all;
        boolean prompts = all;
        boolean resources = all;
        for (String name : names) {
            ServerLink link = links.link(name);
            try {
                SubscriptionFilter part = listener.filter.within(link.greeting().member("capabilities"));
                tools |= part.tools();
                prompts |= part.prompts();
                resources |= part.resources();
                uris.addAll(part.uris());
                tasks.addAll(part.tasks());
                if (link.era() == Era.MODERN && !part.isEmpty()) {
                    listener.modern.put(link, part);
                } else if (link.era() == Era.LEGACY && !part.uris().isEmpty()) {
                    listener.legacy.add(link);
                }
            } catch (UpstreamException | ScrubFailedException e) {
                if (!all) {
                    throw e;
                }
                LOG.warn("server '{}' is not listened to: {}", name, e.getMessage());
            }
        }
        return new SubscriptionFilter(
                tools && listener.filter.tools(),
                prompts && listener.filter.prompts(),
                resources && listener.filter.resources(),
                uris,
                tasks);
    }

    private static void acknowledge(Listener listener, SubscriptionFilter agreed) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put(MetaKeys.META, Map.of(MetaKeys.SUBSCRIPTION_ID, subscriptionId(listener.inFlight.request())));
        params.put("notifications", agreed.toMap());
        listener.inFlight
                .exchange()
                .send(Outbound.ours(
                        JsonRpc.notification("notifications/subscriptions/acknowledged", JsonWriter.write(params))));
    }

    /** Tells legacy servers which resources matter; one that does not have such a resource says so, and that is all. */
    private void subscribe(Listener listener, String method) {
        for (ServerLink link : listener.legacy) {
            for (String uri : listener.filter.uris()) {
                boolean stillWanted = method.endsWith("unsubscribe")
                        && listeners.stream()
                                .anyMatch(other -> !other.equals(listener)
                                        && other.filter.uris().contains(uri)
                                        && other.legacy.contains(link));
                if (stillWanted || (method.endsWith("unsubscribe") && !link.isRunning())) {
                    continue;
                }
                try {
                    byte[] params = JsonWriter.write(Map.of("uri", uri));
                    link.request(
                            method,
                            params,
                            new InFlight(listener.inFlight.request(), message -> true, new Cancellation()));
                } catch (UpstreamException | ScrubFailedException e) {
                    LOG.debug("server '{}' did not take {}: {}", link.name(), method, e.getMessage());
                }
            }
        }
    }

    /** A server changed something. */
    void changed(String server, Outbound message, String method) {
        for (Listener listener : listeners) {
            boolean concerned = listener.scope instanceof Scope.All || listener.scope.equals(new Scope.One(server));
            if (concerned && listener.filter.admits(method, message.message().body())) {
                listener.tell(message);
            }
        }
    }

    /** Ends every stream gracefully. */
    void close() {
        closed = true;
        listeners.forEach(listener -> listener.ended.countDown());
        direct.forEach(Cancellation::fire);
    }

    private static JsonValue subscriptionId(Message request) {
        JsonValue id = request.id();
        if (id == null) {
            throw new IllegalStateException("a request has an id");
        }
        return id;
    }

    /** The same message with this subscription's id in its {@code _meta}. */
    private static byte[] withSubscription(Message message, byte[] id) {
        @Nullable JsonValue body = message.body();
        if (message.type() == Message.Type.ERROR) {
            return message.bytes();
        }
        if (body == null || !body.is(Kind.OBJECT)) {
            return JsonRpc.notification(
                    message.method(),
                    JsonWriter.write(Map.of(MetaKeys.META, Map.of(MetaKeys.SUBSCRIPTION_ID, JsonValue.parse(id)))));
        }
        JsonValue known = body.path(MetaKeys.META, MetaKeys.SUBSCRIPTION_ID);
        ParamsEdit edit = new ParamsEdit(body);
        byte[] changed = known == null
                ? edit.addMeta(MetaKeys.SUBSCRIPTION_ID, new String(id, StandardCharsets.UTF_8))
                        .apply()
                : edit.replace(known, id).apply();
        return new Splice(message.bytes()).replace(body, changed).apply();
    }
}
