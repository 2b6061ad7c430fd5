package dev.postern.app.wiring;

import dev.postern.app.config.ConfigException;
import dev.postern.app.config.ConfigFile;
import dev.postern.app.config.ConfiguredServer;
import dev.postern.app.config.ConfiguredWebhook;
import dev.postern.app.playground.Playground;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.vault.ArgumentPath;
import dev.postern.mcp.client.EmbeddedServer;
import dev.postern.mcp.client.ServerSpec;
import dev.postern.mcp.http.HttpRequestTool;
import dev.postern.mcp.relay.Servers;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of the configuration file as it is now; without any, the playground. A file that became unreadable changes
 * nothing: the servers stay as they were, and the log says why. Thread-safe.
 */
public final class ConfiguredServers implements Servers {
    private static final Logger log = LoggerFactory.getLogger(ConfiguredServers.class);

    private final Path file;
    private final Function<String, @Nullable String> environment;
    private final SettingResolver resolver;
    private final ConfiguredDetection detection;
    private final EmbeddedServer playground = new Playground();
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private volatile Map<String, ConfiguredServer> current;
    private volatile Own own;

    /**
     * Reads the file.
     *
     * @throws ConfigException if it is wrong
     */
    ConfiguredServers(
            Path file,
            Function<String, @Nullable String> environment,
            SettingResolver resolver,
            ConfiguredDetection detection) {
        this.file = file;
        this.environment = environment;
        this.resolver = resolver;
        this.detection = detection;
        Reading first = read();
        this.current = first.servers;
        this.own = first.own;
        detection.use(first.detection);
    }

    /** One reading of the file. */
    private record Reading(Map<String, ConfiguredServer> servers, ConfiguredDetection.Settings detection, Own own) {}

    /** What the file says of Postern itself. */
    private record Own(@Nullable ConfiguredWebhook webhook, List<String> plainHttpHosts) {}

    /** Where people are told of calls that wait; null for nowhere. */
    @Nullable
    ConfiguredWebhook webhook() {
        return own.webhook;
    }

    /** Whether a secret may go to this host over plain HTTP. */
    boolean mayBePlain(String host) {
        return own.plainHttpHosts.contains(host);
    }

    /** Where a tool's URLs and hosts stand; null if nobody said (P9). */
    @Nullable
    List<ArgumentPath> destinationArguments(ToolName tool) {
        if (tool.equals(HttpRequestTool.TOOL)) {
            return HttpRequestTool.DESTINATION;
        }
        ConfiguredServer server = current.get(tool.server());
        return server == null ? null : server.destinationArguments().get(tool.tool());
    }

    @Override
    public List<String> names() {
        Map<String, ConfiguredServer> servers = current;
        return servers.isEmpty() ? List.of(Playground.NAME) : List.copyOf(servers.keySet());
    }

    @Override
    public ServerSpec spec(String name) {
        Map<String, ConfiguredServer> servers = current;
        ConfiguredServer server = servers.get(name);
        if (server != null) {
            return resolver.resolve(server);
        }
        if (servers.isEmpty() && name.equals(Playground.NAME)) {
            return new ServerSpec(name, new ServerSpec.InProcess(playground), ConfiguredServer.DEFAULT_TIMEOUT);
        }
        throw new UpstreamException(UpstreamException.Kind.FAILED, "no server of that name is configured");
    }

    /**
     * The address of a server; null if there is none of that name, or it is a command.
     *
     * @throws UpstreamException if a reference in it cannot be resolved
     */
    @Nullable
    URI address(String name) {
        ConfiguredServer server = current.get(name);
        return server == null ? null : resolver.endpoint(server);
    }

    @Override
    public Registration onChange(Consumer<Set<String>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Reads the file again and tells whoever listens what changed. */
    public synchronized void reload() {
        Map<String, ConfiguredServer> before = current;
        Reading reading;
        try {
            reading = read();
        } catch (ConfigException e) {
            log.warn("the changed configuration is not used: {}", e.getMessage());
            return;
        }
        Map<String, ConfiguredServer> after = reading.servers;
        detection.use(reading.detection);
        own = reading.own;
        Set<String> names = new HashSet<>(namesOf(before));
        names.addAll(namesOf(after));
        List<String> unchanged = new ArrayList<>();
        for (String name : names) {
            ConfiguredServer old = before.get(name);
            if (old != null ? old.runsAs(after.get(name)) : before.isEmpty() && after.isEmpty()) {
                unchanged.add(name);
            }
        }
        unchanged.forEach(names::remove);
        current = after;
        if (!names.isEmpty()) {
            log.info("the configuration changed: {} server(s)", names.size());
            listeners.forEach(listener -> listener.accept(Set.copyOf(names)));
        }
    }

    private static Set<String> namesOf(Map<String, ConfiguredServer> servers) {
        return servers.isEmpty() ? Set.of(Playground.NAME) : servers.keySet();
    }

    private Reading read() {
        ConfigFile read = ConfigFile.read(file);
        Map<String, ConfiguredServer> servers = new LinkedHashMap<>();
        for (ConfiguredServer server : read.servers(environment)) {
            servers.put(server.name(), server);
        }
        return new Reading(
                servers,
                ConfiguredDetection.read(read, servers),
                new Own(read.webhook(environment), read.plainHttpHosts()));
    }
}
