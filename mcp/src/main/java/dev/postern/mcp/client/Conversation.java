package dev.postern.mcp.client;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.ProtocolVersion;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a conversation: numbers requests, keeps the open ones, and ends them all when the link ends. Ids
 * count up from 1 and belong to this conversation alone, whatever ids the agents use. What comes in is sorted by
 * {@link Incoming}.
 */
final class Conversation implements ServerConnection {
    private final ServerSpec spec;
    private final ClientFace face;
    private final ConnectionLimits limits;
    private final ServerListener listener;
    private final Incoming incoming;
    private final Link link;
    private final ProgressTokens progressTokens = new ProgressTokens();
    private final Map<Long, OpenRequest> open = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean announced = new AtomicBoolean();
    private volatile boolean greeted;
    private volatile String endedBecause = "the connection to the server is closed";
    private volatile Era era = Era.LEGACY;
    private volatile String version = ProtocolVersion.LEGACY;
    private volatile @Nullable RequestMeta meta;
    private volatile byte[] greeting = new byte[0];

    Conversation(ServerSpec spec, ClientFace face, ServerListener listener, ConnectionLimits limits, Link link) {
        this.spec = spec;
        this.face = face;
        this.limits = limits;
        this.listener = listener;
        this.incoming = new Incoming(this, spec.name(), listener, limits);
        this.link = link;
    }

    /** Opens the link; messages may come in before this returns. */
    void open() {
        link.open(incoming);
    }

    /** The era and revision to speak from now on. */
    void speak(Era newEra, String newVersion) {
        era = newEra;
        version = newVersion;
        meta = newEra == Era.MODERN ? new RequestMeta(newVersion, face) : null;
        link.speak(newEra, newVersion);
    }

    /** Hands are shaken: from now on the listener hears of the end. */
    void greeted(byte[] answer) {
        greeting = answer;
        greeted = true;
        link.ready();
        if (over.get()) {
            announceEnd();
        }
    }

    ClientFace face() {
        return face;
    }

    ConnectionLimits limits() {
        return limits;
    }

    Map<Long, OpenRequest> openRequests() {
        return open;
    }

    ProgressTokens progressTokens() {
        return progressTokens;
    }

    Link link() {
        return link;
    }

    @Override
    public Era era() {
        return era;
    }

    @Override
    public String protocolVersion() {
        return version;
    }

    @Override
    public Raw greeting() {
        return Raw.received(greeting);
    }

    @Override
    public boolean isOpen() {
        return !over.get();
    }

    @Override
    public Raw request(String method, byte @Nullable [] params, Object tag, Cancellation cancellation) {
        return request(method, params, null, tag, cancellation);
    }

    @Override
    public Raw request(
            String method,
            byte @Nullable [] params,
            @Nullable JsonValue inputSchema,
            Object tag,
            Cancellation cancellation) {
        OpenRequest request = start(new OpenRequest(ids.incrementAndGet(), method, inputSchema, tag), params);
        boolean endless = method.equals("subscriptions/listen");
        try (var _ = cancellation.onFire(
                () -> request.fail(Kind.CANCELLED, "the call was given up before it was answered"))) {
            Duration longest = endless ? Duration.ofDays(3650) : limits.longestRequest();
            return Raw.received(request.await(endless ? null : spec.timeout(), longest, incoming::clientIsAsked));
        } catch (UpstreamException e) {
            if (e.kind() != Kind.FAILED) {
                finish(request);
                link.abandon(request);
            }
            throw e;
        } finally {
            finish(request);
        }
    }

    /** Sends a request whose answer the caller awaits on its own; {@link #finish} afterwards. */
    OpenRequest start(String method, byte @Nullable [] params, Object tag) {
        return start(new OpenRequest(ids.incrementAndGet(), method, null, tag), params);
    }

    private OpenRequest start(OpenRequest request, byte @Nullable [] params) {
        byte[] unique = params == null ? null : progressTokens.claim(params, request);
        RequestMeta required = meta;
        byte[] complete = required == null ? unique : required.complete(unique);
        byte[] message = JsonRpc.request(request.idBytes(), request.method(), complete);
        wipeCopies(params, unique, complete);
        open.put(request.id(), request);
        try {
            if (over.get()) {
                throw new UpstreamException(Kind.FAILED, endedBecause, true);
            }
            link.send(request, message);
            return request;
        } catch (RuntimeException e) {
            finish(request);
            throw e;
        }
    }

    void finish(OpenRequest request) {
        open.remove(request.id());
        progressTokens.release(request);
    }

    /** Params may hold values; the caller's own array is the caller's to wipe. */
    @SuppressWarnings("ReferenceEquality") // which array it is, not what it holds
    private static void wipeCopies(byte @Nullable [] params, byte @Nullable [] unique, byte @Nullable [] complete) {
        if (unique != null && unique != params) {
            Arrays.fill(unique, (byte) 0);
        }
        if (complete != null && complete != params && complete != unique) {
            Arrays.fill(complete, (byte) 0);
        }
    }

    @Override
    public void notify(String method, byte @Nullable [] params) {
        if (!over.get()) {
            link.send(JsonRpc.notification(method, params));
        }
    }

    /** No message will come any more: every open request fails, once. */
    void end(String why) {
        if (!over.compareAndSet(false, true)) {
            return;
        }
        endedBecause = why;
        open.values().forEach(request -> request.fail(Kind.FAILED, why));
        if (greeted) {
            announceEnd();
        }
    }

    private void announceEnd() {
        if (announced.compareAndSet(false, true)) {
            listener.closed();
        }
    }

    @Override
    public void close() {
        end("the connection to the server was closed");
        link.close();
    }
}
