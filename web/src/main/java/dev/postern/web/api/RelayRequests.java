package dev.postern.web.api;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.relay.Outbound;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks the relay as a modern client would that sends one request and reads one answer. Thread-safe. */
public final class RelayRequests {
    private final Relay relay;
    private final String client;

    /**
     * One that asks by this name.
     *
     * @param client what servers are told that the client is
     */
    public RelayRequests(Relay relay, String client) {
        this.relay = relay;
        this.client = client;
    }

    /**
     * The whole response, result or error.
     *
     * @param params without {@code _meta}
     * @param progressToken who gives one is held until an approval itself expires (P7); null for the usual hold
     */
    public Message ask(
            Caller caller,
            String method,
            Map<String, Object> params,
            @Nullable String progressToken,
            Cancellation cancellation) {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put(MetaKeys.PROTOCOL_VERSION, ProtocolVersion.MODERN);
        meta.put(MetaKeys.CLIENT_INFO, Map.of("name", client, "version", "1"));
        meta.put(MetaKeys.CLIENT_CAPABILITIES, Map.of());
        if (progressToken != null) {
            meta.put(MetaKeys.PROGRESS_TOKEN, progressToken);
        }
        Map<String, Object> complete = new LinkedHashMap<>(params);
        complete.put(MetaKeys.META, meta);
        byte[] request = JsonRpc.request("1".getBytes(StandardCharsets.US_ASCII), method, JsonWriter.write(complete));
        Outbound answer =
                relay.answerModern(caller, new Scope.All(), Message.parse(request), message -> true, cancellation);
        return answer.message();
    }
}
