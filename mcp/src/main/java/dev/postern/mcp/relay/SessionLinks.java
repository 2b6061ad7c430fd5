package dev.postern.mcp.relay;

import dev.postern.mcp.wire.JsonRpc;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** A set of server links that belong together and end together. Each is made when it is first asked for. */
final class SessionLinks implements Links, AutoCloseable {
    private final Servers servers;
    private final Function<String, ServerLink> maker;
    private final Map<String, ServerLink> links = new ConcurrentHashMap<>();
    private volatile boolean closed;

    SessionLinks(Servers servers, Function<String, ServerLink> maker) {
        this.servers = servers;
        this.maker = maker;
    }

    @Override
    public List<String> names() {
        return servers.names();
    }

    @Override
    public ServerLink link(String server) {
        if (!servers.names().contains(server)) {
            throw new AnswerException(
                    JsonRpc.INVALID_PARAMS, "no server of that name is configured: see 'postern server list'");
        }
        ServerLink link = links.computeIfAbsent(server, maker);
        if (closed) {
            link.close();
        }
        return link;
    }

    void forEach(Consumer<ServerLink> action) {
        links.values().forEach(action);
    }

    /** These servers' configuration changed: what runs is out of date. */
    void restart(Set<String> changed) {
        for (String name : changed) {
            ServerLink link = links.get(name);
            if (link != null) {
                link.restart();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        links.values().forEach(ServerLink::close);
    }
}
