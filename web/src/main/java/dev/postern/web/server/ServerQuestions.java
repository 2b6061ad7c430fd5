package dev.postern.web.server;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.gate.call.Cancellation;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Asks a server what it offers, as a client that can call nothing. What it says passed the choke point, like everything that a
 * server says (S1).
 */
public final class ServerQuestions {
    private static final int MAX_PAGES = 100;

    private final Relay relay;
    private final Caller asker;

    /**
     * Asks in nobody's name.
     *
     * @param user whose memory of recent values what comes back is scrubbed of (S9)
     */
    public ServerQuestions(Relay relay, String user) {
        this.relay = relay;
        this.asker = new Caller("portal", "portal", user, Set.of(Permission.TOOL_CALL, Permission.SECRET_USE));
    }

    /** What a server said; {@code error} is empty where it answered. */
    public record Answer(String error, long millis, List<Tool> tools) {}

    /** A tool as the server describes it. */
    public record Tool(String name, String description, List<String> parameters) {}

    /** The configured servers, in the order of the configuration. */
    public List<String> names() {
        return relay.servers().names();
    }

    /** Asks one now, for all of its tools. */
    public Answer ask(String server) {
        long start = System.nanoTime();
        List<Tool> tools = new ArrayList<>();
        String error = "";
        String cursor = null;
        int page = 0;
        do {
            Message response = list(server, cursor == null ? Map.of() : Map.of("cursor", cursor));
            JsonValue body = response.body();
            cursor = null;
            if (response.type() != Message.Type.RESULT || body == null) {
                String message = body == null ? null : body.string("message");
                error = message == null ? "it gave no usable answer" : message;
            } else {
                JsonValue listed = body.member("tools");
                if (listed != null) {
                    listed.elements().forEach(tool -> tools.add(tool(tool)));
                }
                cursor = body.string("nextCursor");
            }
        } while (cursor != null && ++page < MAX_PAGES);
        return new Answer(error, (System.nanoTime() - start) / 1_000_000, tools);
    }

    private Message list(String server, Map<String, Object> params) {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put(MetaKeys.PROTOCOL_VERSION, ProtocolVersion.MODERN);
        meta.put(MetaKeys.CLIENT_INFO, Map.of("name", "postern-portal", "version", "1"));
        meta.put(MetaKeys.CLIENT_CAPABILITIES, Map.of());
        Map<String, Object> complete = new LinkedHashMap<>(params);
        complete.put(MetaKeys.META, meta);
        byte[] request =
                JsonRpc.request("1".getBytes(StandardCharsets.US_ASCII), "tools/list", JsonWriter.write(complete));
        Outbound answer =
                relay.answerModern(asker, new Scope.One(server), Message.parse(request), _ -> true, new Cancellation());
        return answer.message();
    }

    private static Tool tool(JsonValue tool) {
        List<String> parameters = new ArrayList<>();
        JsonValue properties = tool.path("inputSchema", "properties");
        if (properties != null && properties.is(JsonValue.Kind.OBJECT)) {
            properties.forEachMember((name, _) -> parameters.add(name.string()));
        }
        String description = tool.string("description");
        return new Tool(String.valueOf(tool.string("name")), description == null ? "" : description, parameters);
    }
}
