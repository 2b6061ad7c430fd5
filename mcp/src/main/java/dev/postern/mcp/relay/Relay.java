package dev.postern.mcp.relay;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.flow.GovernedCall;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.catalog.OwnTools;
import dev.postern.mcp.client.ServerConnection.ClientFace;
import dev.postern.mcp.client.ServerConnector;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens conversations between agents and the configured servers. One per gateway; thread-safe. */
public final class Relay implements AutoCloseable {
    private static final long MAX_LIST_BYTES = 32 << 20;

    /** How many sets of capabilities one agent's requests may declare at a time: each has connections to servers of its own. */
    private static final int MAX_FACES = 64;

    private final GovernedCall governed;
    private final ChokePoint chokePoint;
    private final Servers servers;
    private final ServerConnector connector;
    private final OwnTools ownTools;
    private final DefinitionListener definitions;
    private final KillSwitch killSwitch;
    private final RelaySettings settings;
    private final ListCache lists = new ListCache(MAX_LIST_BYTES);
    private final Servers.Registration configuration;
    private final Answering answering = new Answering();
    private final ConcurrentHashMap<ModernKey, ModernAgent> modernAgents = new ConcurrentHashMap<>();

    /** The permissions are part of it, since a token may be given fewer than its agent has. */
    private record ModernKey(String agent, Set<Permission> denied, String capabilities) {}

    /**
     * Between the gate and the servers.
     *
     * @param definitions hears of what servers list
     * @param killSwitch keeps agents and servers apart, beyond the calls that {@code governed} stops
     */
    public Relay(
            GovernedCall governed,
            ChokePoint chokePoint,
            Servers servers,
            ServerConnector connector,
            OwnTools ownTools,
            DefinitionListener definitions,
            KillSwitch killSwitch,
            RelaySettings settings) {
        this.governed = governed;
        this.chokePoint = chokePoint;
        this.servers = servers;
        this.connector = connector;
        this.ownTools = ownTools;
        this.definitions = definitions;
        this.killSwitch = killSwitch;
        this.settings = settings;
        this.configuration = servers.onChange(changed -> changed.forEach(lists::forget));
    }

    /**
     * Opens a legacy conversation; {@link LegacyConversation#greet} then answers its first request.
     *
     * @throws AnswerException if the request lacks what {@code initialize} must have
     */
    public LegacyConversation open(Caller caller, Scope scope, Message initialize) {
        JsonValue params = initialize.body();
        String asked = params == null ? null : params.string("protocolVersion");
        if (params == null || asked == null) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS, "params.protocolVersion is missing: name the revision you speak");
        }
        String version = Greetings.legacyVersions().contains(asked) ? asked : ProtocolVersion.LEGACY;
        return new LegacyConversation(
                this,
                caller,
                scope,
                version,
                new ClientFace(
                        object(params.member("capabilities"), Map.of()),
                        object(params.member("clientInfo"), Map.of("name", caller.name(), "version", "unknown")),
                        version));
    }

    /** The requests that are being answered, by whichever way they came. */
    public Answering answering() {
        return answering;
    }

    /** Answers a modern request, whose headers were checked. */
    public Outbound answerModern(
            Caller caller, Scope scope, Message request, Exchange exchange, Cancellation cancellation) {
        ModernAgent agent;
        try {
            agent = enter(caller, request);
        } catch (AnswerException e) {
            return Answers.error(request, e);
        }
        try {
            return agent.answer(request, scope, exchange, cancellation);
        } finally {
            agent.leave();
        }
    }

    /** Takes a modern client's notification. */
    public void acceptModern(Caller caller, Scope scope, Message notification) {
        ModernAgent agent;
        try {
            agent = enter(caller, notification);
        } catch (AnswerException e) {
            return; // it cannot belong to a request
        }
        try {
            agent.accept(notification, scope);
        } finally {
            agent.leave();
        }
    }

    private ModernAgent enter(Caller caller, Message message) {
        JsonValue params = message.body();
        JsonValue meta = params == null ? null : params.member(MetaKeys.META);
        JsonValue capabilities = object(meta == null ? null : meta.member(MetaKeys.CLIENT_CAPABILITIES), Map.of());
        JsonValue info = object(
                meta == null ? null : meta.member(MetaKeys.CLIENT_INFO),
                Map.of("name", caller.name(), "version", "unknown"));
        ModernKey key = new ModernKey(caller.agent(), caller.denied(), capabilities.spelling());
        ModernAgent known = modernAgents.computeIfPresent(key, (same, agent) -> agent.entered());
        if (known != null) {
            return known;
        }
        synchronized (modernAgents) { // one is made at a time, so that they can be counted
            long faces = modernAgents.keySet().stream()
                    .filter(other -> other.agent().equals(caller.agent()))
                    .count();
            return modernAgents.compute(key, (same, made) -> {
                if (made == null && faces >= MAX_FACES) {
                    throw new AnswerException(
                            JsonRpc.INVALID_REQUEST,
                            "this agent's requests declare " + MAX_FACES
                                    + " different client capabilities at a time: declare the same with each");
                }
                ModernAgent agent = made == null
                        ? new ModernAgent(this, caller, new ClientFace(capabilities, info, ProtocolVersion.MODERN))
                        : made;
                return agent.entered();
            });
        }
    }

    /** The revisions an agent may speak, newest first. */
    public static List<String> supportedVersions() {
        return Greetings.supported();
    }

    /** Closes connections that no modern request has used for a while. */
    public void tidy() {
        for (ModernKey key : modernAgents.keySet()) {
            modernAgents.computeIfPresent(key, (same, agent) -> {
                if (!agent.isDeserted(settings.idleConnection())) {
                    return agent;
                }
                agent.close();
                return null;
            });
        }
    }

    /** Closes the shared connections of one agent: its requests in flight end, its servers are stopped. */
    public void endOf(String agent) {
        for (ModernKey key : modernAgents.keySet()) {
            ModernAgent ended = key.agent().equals(agent) ? modernAgents.remove(key) : null;
            if (ended != null) {
                Thread.ofVirtual().name("mcp-agent-end").start(ended::close);
            }
        }
    }

    /** Closes every shared connection. Legacy conversations are closed by whoever opened them. */
    @Override
    public void close() {
        configuration.close();
        modernAgents.values().forEach(ModernAgent::close);
        modernAgents.clear();
    }

    public RelaySettings settings() {
        return settings;
    }

    /** The configured servers, for whoever must know whether an endpoint exists. */
    public Servers servers() {
        return servers;
    }

    ServerLink link(String name, Caller caller, ClientFace face, LinkEvents events, @Nullable ClientRequests client) {
        return new ServerLink(
                name, caller, face, servers, connector, chokePoint, lists, events, definitions, killSwitch, client);
    }

    Stops stops(Caller caller, Consumer<Set<String>> changed) {
        return new Stops(killSwitch, caller, servers, changed);
    }

    Routes routes(Scope scope, Caller caller, Era client, Links links) {
        return new Routes(
                scope,
                caller,
                client,
                links,
                new ToolCalls(governed, chokePoint, settings),
                new Aggregate(links, ownTools));
    }

    private static JsonValue object(@Nullable JsonValue value, Map<String, String> otherwise) {
        return value != null && value.is(Kind.OBJECT) ? value : JsonValue.parse(JsonWriter.write(otherwise));
    }
}
