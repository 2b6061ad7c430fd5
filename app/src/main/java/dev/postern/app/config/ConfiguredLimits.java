package dev.postern.app.config;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.client.ConnectionLimits;
import dev.postern.mcp.server.McpSettings;
import java.util.List;

/**
 * {@code limits}: how much agents and servers may send and keep open. What is left out is as the gateway has it by itself.
 *
 * @param agents those of the agents' side
 * @param servers those of the servers' side
 */
public record ConfiguredLimits(McpSettings agents, ConnectionLimits servers) {
    private static final List<String> NAMES =
            List.of("messageBytes", "openResponses", "sessions", "requestsPerSecond", "serverMessageBytes");

    static ConfiguredLimits read(ConfigFile file) {
        McpSettings agents = McpSettings.DEFAULTS;
        ConnectionLimits servers = ConnectionLimits.standard();
        JsonValue limits = file.root().member("limits");
        if (limits == null) {
            return new ConfiguredLimits(agents, servers);
        }
        if (!limits.is(Kind.OBJECT)) {
            throw new ConfigException(file.place(limits, "/limits") + ": this is not an object.");
        }
        limits.forEachMember((name, value) -> {
            if (!NAMES.contains(name.string())) {
                throw new ConfigException(file.place(name, "/limits") + ": there is no such limit; there are "
                        + String.join(", ", NAMES) + ".");
            }
        });
        return new ConfiguredLimits(
                new McpSettings(
                        number(file, limits, "messageBytes", agents.maxBodyBytes(), 1_024),
                        agents.heartbeat(),
                        number(file, limits, "openResponses", agents.maxOpenPerAgent(), 1),
                        number(file, limits, "sessions", agents.maxSessionsPerAgent(), 1),
                        number(file, limits, "requestsPerSecond", agents.maxRequestsPerSecond(), 1)),
                servers.withMaxMessageBytes(
                        number(file, limits, "serverMessageBytes", servers.maxMessageBytes(), 1_024)));
    }

    private static int number(ConfigFile file, JsonValue limits, String name, int usual, int least) {
        JsonValue value = limits.member(name);
        if (value == null) {
            return usual;
        }
        try {
            int number = value.is(Kind.NUMBER) ? Integer.parseInt(value.spelling()) : -1;
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // As any other number that will not do.
        }
        throw new ConfigException(
                file.place(value, "/limits/" + name) + ": this is not a whole number, " + least + " or more.");
    }
}
