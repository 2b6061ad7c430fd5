package dev.postern.mcp.relay;

import dev.postern.gate.scrub.Raw;
import dev.postern.gate.scrub.Scrubbed;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.mcp.catalog.CacheHints;
import dev.postern.mcp.catalog.ListKind;
import dev.postern.mcp.client.ServerConnection.ClientFace;
import dev.postern.mcp.relay.ListCache.Page;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server's lists as one agent's link gets them: from memory while the server's own hints allow (2026-07-28,
 * "Caching"), else from the server. What a server calls private stays in the link that asked for it and goes with it, so no
 * other agent is given it; what it calls public is shared by all. Thread-safe.
 */
final class ServerLists {
    private static final long MAX_OWN_BYTES = 8 << 20;

    /** Members of {@code _meta} that say who asks and how, and choose nothing. */
    private static final Set<String> IDLE_META =
            Set.of(MetaKeys.PROGRESS_TOKEN, "traceparent", "tracestate", "baggage");

    private static final String PROTOCOL_META = "io.modelcontextprotocol/";

    private final String server;
    private final String client;
    private final ListCache shared;
    private final ListCache own = new ListCache(MAX_OWN_BYTES);

    ServerLists(String server, ClientFace face, ListCache shared) {
        this.server = server;
        this.client = face.protocolVersion() + " " + face.capabilities().spelling();
        this.shared = shared;
    }

    /**
     * One page of a list, scrubbed.
     *
     * @param params as the server is to get them; a page that depends on more than its cursor is always asked for
     * @param fresh whether the server has to be asked whatever is in memory
     * @param start starts the server if it is not running, which makes what is in memory out of date
     * @param ask asks the server
     * @param cleaner takes what it said through the choke point
     */
    Outbound page(
            ListKind kind,
            byte @Nullable [] params,
            boolean fresh,
            Runnable start,
            Supplier<Raw> ask,
            Function<Raw, Scrubbed> cleaner) {
        ListCache.Key key = key(kind, params);
        if (key == null) {
            return Outbound.of(cleaner.apply(ask.get()));
        }
        Page known = fresh ? null : find(key);
        if (known != null) {
            return aged(Outbound.of(cleaner.apply(known.raw())), known.millisLeft());
        }
        start.run();
        long ownChanges = own.changes();
        long sharedChanges = shared.changes();
        Raw raw = ask.get();
        long received = System.nanoTime();
        Scrubbed clean = cleaner.apply(raw);
        Outbound answer = Outbound.of(clean);
        Message message = answer.message();
        CacheHints hints = message.type() == Message.Type.RESULT ? CacheHints.of(message.body()) : CacheHints.NONE;
        if (hints.ttlMillis() > 0 && clean.hits() == 0 && clean.detected().isEmpty()) {
            Page page = new Page(raw, answer.bytes().length, received, hints.ttlMillis());
            if (hints.isPublic()) {
                shared.keep(key, page, sharedChanges);
            } else {
                own.keep(key, page, ownChanges);
            }
        }
        return answer;
    }

    private @Nullable Page find(ListCache.Key key) {
        Page page = own.find(key);
        return page == null ? shared.find(key) : page;
    }

    /** What a page asked for with these params depends on; null if that cannot be told. */
    private ListCache.@Nullable Key key(ListKind kind, byte @Nullable [] params) {
        if (params == null) {
            return new ListCache.Key(server, kind, client, "");
        }
        JsonValue root = JsonValue.parse(params);
        boolean[] known = {root.is(Kind.OBJECT)};
        root.forEachMember((name, value) -> known[0] &= switch (name.string()) {
            case "cursor" -> value.is(Kind.STRING);
            case MetaKeys.META -> choosesNothing(value);
            default -> false;
        });
        String cursor = root.string("cursor");
        return known[0] && root.count("cursor") <= 1
                ? new ListCache.Key(server, kind, client, cursor == null ? "" : "\"" + cursor)
                : null;
    }

    private static boolean choosesNothing(JsonValue meta) {
        boolean[] idle = {true};
        meta.forEachMember((nameToken, value) -> {
            String name = nameToken.string();
            idle[0] &= IDLE_META.contains(name) || name.startsWith(PROTOCOL_META);
        });
        return idle[0];
    }

    /** The same page some time later: fresh for what is left of its time. */
    private static Outbound aged(Outbound page, long millisLeft) {
        return page.edited(message -> {
            JsonValue ttl = message.body() == null ? null : message.body().member("ttlMs");
            return ttl == null
                    ? message.bytes()
                    : new Splice(message.bytes())
                            .replace(ttl, Long.toString(Math.max(0, millisLeft)).getBytes(StandardCharsets.US_ASCII))
                            .apply();
        });
    }

    /** The server said that something changed. */
    void changed(String method) {
        switch (method) {
            case "notifications/tools/list_changed" -> forget(ListKind.TOOLS);
            case "notifications/prompts/list_changed" -> forget(ListKind.PROMPTS);
            case "notifications/resources/list_changed" -> {
                forget(ListKind.RESOURCES);
                forget(ListKind.TEMPLATES);
            }
            default -> {}
        }
    }

    private void forget(ListKind kind) {
        own.forget(server, kind);
        shared.forget(server, kind);
    }

    /** The server starts anew: it may not be the one that said all this. */
    void forgetOwn() {
        own.forget(server);
    }
}
