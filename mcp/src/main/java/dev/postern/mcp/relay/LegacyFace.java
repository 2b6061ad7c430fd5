package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a legacy client sets once and modern servers want with each request or on a stream of its own: the log level, and
 * which changes it hears of. Thread-safe.
 */
final class LegacyFace {
    /** As all revisions have them (RFC 5424). */
    private static final List<String> LEVELS =
            List.of("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");

    private static final byte[] EMPTY = "{}".getBytes(StandardCharsets.US_ASCII);

    private final Consumer<Outbound> changes;
    private final Map<ServerLink, Heard> heard = new ConcurrentHashMap<>();
    private volatile @Nullable JsonValue level;

    private static final class Heard {
        private final Set<String> uris = new LinkedHashSet<>();
        private @Nullable Listening listening;
    }

    /** @param changes where a modern server's changes go */
    LegacyFace(Consumer<Outbound> changes) {
        this.changes = changes;
    }

    /** The log level that was set, JSON; null if none was. */
    @Nullable
    String logLevel() {
        JsonValue set = level;
        return set == null ? null : set.spelling();
    }

    /** Takes note of {@code logging/setLevel}. */
    void setLevel(Message request) {
        JsonValue params = request.body();
        JsonValue asked = params == null ? null : params.member("level");
        if (asked == null || !asked.is(JsonValue.Kind.STRING)) {
            throw new AnswerException(JsonRpc.INVALID_PARAMS, "params.level is missing: name a level as a string");
        }
        if (!LEVELS.contains(asked.string())) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS, "params.level is none of the levels: " + String.join(", ", LEVELS));
        }
        level = asked;
    }

    /** {@code logging/setLevel} params for a server that starts later; null if none was set. */
    byte @Nullable [] levelParams() {
        JsonValue set = level;
        return set == null ? null : JsonWriter.write(Map.of("level", set));
    }

    /** A server started: a modern one is listened to from now on. */
    void started(ServerLink link) {
        Heard all = heard.computeIfAbsent(link, made -> new Heard());
        synchronized (all) {
            renew(link, all);
        }
    }

    /** Answers {@code resources/subscribe} and {@code resources/unsubscribe} for a modern server. */
    Outbound subscribe(ServerLink link, Message request) {
        JsonValue params = request.body();
        String uri = params == null ? null : params.string("uri");
        if (uri == null) {
            throw new AnswerException(JsonRpc.INVALID_PARAMS, "the resource's uri is missing: send it as a string");
        }
        Heard all = heard.computeIfAbsent(link, made -> new Heard());
        synchronized (all) {
            boolean changed = request.method().equals("resources/subscribe") ? all.uris.add(uri) : all.uris.remove(uri);
            if (changed) {
                renew(link, all);
            }
        }
        return Answers.result(request, EMPTY, Era.LEGACY);
    }

    private void renew(ServerLink link, Heard all) {
        if (all.listening != null) {
            all.listening.close();
            all.listening = null;
        }
        SubscriptionFilter filter = new SubscriptionFilter(true, true, true, Set.copyOf(all.uris), Set.of())
                .within(link.greeting().member("capabilities"));
        if (!filter.isEmpty()) {
            all.listening = Listening.open(link, filter, changes);
        }
    }

    /** The answer for a client that set something that needs no server. */
    static Outbound done(Message request) {
        return Answers.result(request, EMPTY, Era.LEGACY);
    }

    void close() {
        heard.values().forEach(all -> {
            synchronized (all) {
                if (all.listening != null) {
                    all.listening.close();
                }
            }
        });
    }
}
