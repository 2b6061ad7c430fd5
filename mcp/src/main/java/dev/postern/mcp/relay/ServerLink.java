package dev.postern.mcp.relay;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.scrub.RequestStates;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.catalog.Definitions;
import dev.postern.mcp.catalog.ListKind;
import dev.postern.mcp.client.ServerConnection;
import dev.postern.mcp.client.ServerConnection.ClientFace;
import dev.postern.mcp.client.ServerConnector;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server as one agent's session sees it: started when it is first needed, started again when it is needed after it
 * ended. All it says comes out scrubbed; only a governed call gets a {@link Raw}, for the gate to scrub. Thread-safe.
 */
final class ServerLink implements AutoCloseable {
    private final String name;
    private final Caller caller;
    private final ClientFace face;
    private final Servers servers;
    private final ServerConnector connector;
    private final ChokePoint chokePoint;
    private final LinkEvents events;
    private final @Nullable ClientRequests client;
    private final KillSwitch killSwitch;
    private final ServerTools tools;
    private final ServerLists lists;
    private final ConcurrentLinkedDeque<InFlight> open = new ConcurrentLinkedDeque<>();
    private final ReentrantLock starting = new ReentrantLock();
    private volatile @Nullable ServerConnection current;
    private final ResourceSubscriptions subscribed = new ResourceSubscriptions();
    private volatile boolean closed;
    private volatile long lastUsedNanos = System.nanoTime();

    /**
     * @param shared lists that servers offer to whoever asks
     * @param client how a legacy client is asked; null where the client is modern and asked by results
     */
    ServerLink(
            String name,
            Caller caller,
            ClientFace face,
            Servers servers,
            ServerConnector connector,
            ChokePoint chokePoint,
            ListCache shared,
            LinkEvents events,
            DefinitionListener listener,
            KillSwitch killSwitch,
            @Nullable ClientRequests client) {
        this.name = name;
        this.tools = new ServerTools(
                new Definitions(
                        (tool, definition) -> listener.listed(caller.user(), new ToolName(name, tool), definition)),
                (params, fresh, tag) -> list(ListKind.TOOLS, params, fresh, tag));
        this.lists = new ServerLists(name, face, shared);
        this.caller = caller;
        this.face = face;
        this.servers = servers;
        this.connector = connector;
        this.chokePoint = chokePoint;
        this.events = events;
        this.client = client;
        this.killSwitch = killSwitch;
    }

    String name() {
        return name;
    }

    String user() {
        return caller.user();
    }

    /** The era the server speaks; starts it if it is not running. */
    Era era() {
        return connection().era();
    }

    /**
     * What the server says of itself, its {@code initialize} or {@code server/discover} result; starts it if it is not
     * running.
     *
     * @throws UpstreamException if it cannot be started
     */
    JsonValue greeting() {
        byte[] clean = chokePoint.clean(connection().greeting(), user(), name).bytes();
        JsonValue root = JsonValue.parse(clean);
        JsonValue result = root.member("jsonrpc") == null ? null : root.member("result");
        return result == null ? root : result;
    }

    boolean offers(String capability) {
        return greeting().path("capabilities", capability) != null;
    }

    /** The whole response, scrubbed. */
    Outbound request(String method, byte @Nullable [] params, InFlight tag) {
        ListKind list = ListKind.of(method);
        if (list != null) {
            return list(list, params, false, tag);
        }
        Outbound answer = clean(raw(method, params, tag));
        return params == null || !ResourceSubscriptions.isMethod(method)
                ? answer
                : subscribed.answered(method, JsonValue.parse(params), answer);
    }

    /** A page of what is offered, which is compared by its hash. */
    private Outbound list(ListKind kind, byte @Nullable [] params, boolean fresh, InFlight tag) {
        requireAllowed();
        return lists.page(
                kind,
                params,
                fresh,
                this::connection,
                () -> raw(kind.method(), params, tag),
                answer -> chokePoint.clean(answer, user(), name));
    }

    /** As {@link #request}, with the agent's own params; a handle among them becomes what it stands for. */
    Outbound forward(String method, @Nullable JsonValue params, InFlight tag) {
        if (client != null && ResourceSubscriptions.isMethod(method) && era() == Era.MODERN) {
            return client.subscribe(this, tag.request());
        }
        return params == null || !params.is(Kind.OBJECT)
                ? request(method, params == null ? null : params.bytes(), tag)
                : forward(method, params, () -> new ParamsEdit(params), tag);
    }

    /** As above, with an edit of the params begun. */
    Outbound forward(String method, JsonValue params, Supplier<ParamsEdit> edits, InFlight tag) {
        requireAllowed();
        RequestState state = RequestState.of(params, this);
        ListKind list = ListKind.of(method);
        if (list != null) {
            return list(list, edited(state.restore(edits.get())), false, tag);
        }
        Outbound answer = clean(complete(method, () -> state.restore(edits.get()), tag));
        return ResourceSubscriptions.isMethod(method) ? subscribed.answered(method, params, answer) : answer;
    }

    /** The whole response as it came, for the gate; asks the client what a modern server asks of a legacy one. */
    Raw complete(String method, Supplier<ParamsEdit> edits, InFlight tag) {
        Raw answer = send(method, edits.get(), tag);
        return client == null || !InputRounds.METHODS.contains(method) || era() == Era.LEGACY
                ? answer
                : new InputRounds(this, client)
                        .complete(tag, answer, further -> send(method, further.apply(edits.get()), tag));
    }

    private byte[] edited(ParamsEdit edit) {
        String level = client == null || era() == Era.LEGACY ? null : client.logLevel();
        return (level == null ? edit : edit.addMeta(MetaKeys.LOG_LEVEL, level)).apply();
    }

    private Raw send(String method, ParamsEdit edit, InFlight tag) {
        try {
            return raw(method, edited(edit), tag);
        } finally {
            edit.wipe();
        }
    }

    private Raw raw(String method, byte @Nullable [] params, InFlight tag) {
        open.addFirst(tag); // before there is a connection to be taken for an idle one
        try {
            return rawOnce(method, params, tag);
        } finally {
            open.removeFirstOccurrence(tag);
            lastUsedNanos = System.nanoTime();
        }
    }

    private Raw rawOnce(String method, byte @Nullable [] params, InFlight tag) {
        ServerConnection connection = connection();
        try {
            Raw answer = raw(connection, method, params, tag);
            requireAllowed(); // also for what came before the connection could be closed
            return answer;
        } catch (UpstreamException e) {
            requireAllowed();
            if (!e.neverArrived() || connection.isOpen()) {
                throw e;
            }
            // Its session or its process was over before it could take this: nothing ran, so it can be sent anew.
            return raw(connection(), method, params, tag);
        }
    }

    private Raw raw(ServerConnection connection, String method, byte @Nullable [] params, InFlight tag) {
        JsonValue schema = null;
        if (params != null && method.equals("tools/call") && connection.era() == Era.MODERN) {
            String tool = JsonValue.parse(params).string("name");
            schema = tool == null ? null : tools.known().inputSchema(tool);
        }
        return connection.request(method, params, schema, tag, tag.cancellation());
    }

    /** Whether an answer is none yet; the gate is to be the first to look for secrets in one that is (D6). */
    boolean asksForInput(Raw answer) {
        Message message = Outbound.of(chokePoint.clean(answer, user(), name)).message();
        JsonValue result = message.type() == Message.Type.RESULT ? message.body() : null;
        return result != null && "input_required".equals(result.string("resultType"));
    }

    /** What the server said, as the agent may see it. */
    Outbound clean(Raw message) {
        return Outbound.of(chokePoint.screen(message, caller, name));
    }

    /** The newest request that this server is working on; null if there is none. */
    @Nullable
    InFlight newest() {
        return open.peekFirst();
    }

    /** What a handle that the agent brought back stands for; empty if it was not given for this server. */
    Optional<RequestStates.Opened> open(String handle) {
        return chokePoint.states().open(handle, user(), name);
    }

    /** Says something to the server if it is running. */
    void notify(String method, byte @Nullable [] params) {
        ServerConnection connection = isStopped() ? null : current;
        if (connection != null && connection.isOpen()) {
            connection.notify(method, params);
        }
    }

    /** Whether the kill switch keeps this agent and this server apart (A3). */
    boolean isStopped() {
        return killSwitch.refusing(caller, name).isPresent();
    }

    private void requireAllowed() {
        killSwitch.refusing(caller, name).ifPresent(refusal -> {
            throw new UpstreamException(UpstreamException.Kind.KILL_SWITCH, refusal.what());
        });
    }

    boolean isRunning() {
        ServerConnection connection = current;
        return connection != null && connection.isOpen();
    }

    /** Ends the conversation if nothing has been asked of the server for so long. What is asked meanwhile keeps it, or starts it anew. */
    void endIfIdleFor(long nanos) {
        starting.lock();
        try {
            ServerConnection running = current;
            if (running == null || !isIdleFor(nanos)) {
                return;
            }
            current = null;
            if (open.isEmpty()) {
                lists.forgetOwn();
                running.close();
            } else {
                current = running; // somebody may have taken it before it was gone
            }
        } finally {
            starting.unlock();
        }
    }

    /** Running, nothing asked of it, and so for this long. One that is just starting is not idle. */
    private boolean isIdleFor(long nanos) {
        return isRunning() && open.isEmpty() && System.nanoTime() - lastUsedNanos > nanos;
    }

    ServerTools tools() {
        return tools;
    }

    /** The server said that something changed: what was listed before is out of date. */
    void changed(String method) {
        lists.changed(method);
        if (method.equals("notifications/tools/list_changed")) {
            tools.known().forget();
        }
    }

    /** The running connection, or a new one. */
    private ServerConnection connection() {
        requireAllowed();
        ServerConnection running = current;
        if (running != null && running.isOpen()) {
            return running;
        }
        starting.lock();
        try {
            running = current;
            if (running != null && running.isOpen()) {
                return running;
            }
            if (closed) {
                throw new UpstreamException(UpstreamException.Kind.FAILED, "the session has ended");
            }
            tools.known().forget();
            lists.forgetOwn();
            ServerConnection started =
                    connector.connect(servers.spec(name), face, new LinkListener(this, events, chokePoint));
            current = started;
            lastUsedNanos = System.nanoTime();
            events.started(this);
            if (running != null) {
                events.restarted(this);
            }
            if (started.era() == Era.LEGACY) {
                subscribed.renew(started);
            }
            return started;
        } finally {
            starting.unlock();
        }
    }

    /** Ends the conversation with the server, as after a change of its configuration; the next request starts it anew. */
    void restart() {
        starting.lock();
        try {
            ServerConnection running = current;
            current = null;
            lists.forgetOwn();
            if (running != null) {
                running.close();
            }
        } finally {
            starting.unlock();
        }
    }

    /** Ends it for good. */
    @Override
    public void close() {
        closed = true;
        restart();
    }
}
