package dev.postern.web.link;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.catalog.VaultPresign;
import dev.postern.mcp.relay.Relay;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.mcp.wire.ProtocolVersion;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An agent's request for a link, on the one path that every call takes: as a call of {@code vault_presign}. */
public final class RelayedPresign implements LinkApi.AgentPresign {
    private static final String REFUSAL = "dev.postern/refusal";

    private final Relay relay;

    public RelayedPresign(Relay relay) {
        this.relay = relay;
    }

    @Override
    public Reply presign(Caller agent, JsonValue arguments) {
        Map<String, Object> meta = new LinkedHashMap<>();
        meta.put(MetaKeys.PROTOCOL_VERSION, ProtocolVersion.MODERN);
        meta.put(MetaKeys.CLIENT_INFO, Map.of("name", "http", "version", "1"));
        meta.put(MetaKeys.CLIENT_CAPABILITIES, Map.of());
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("name", VaultPresign.NAME);
        params.put("arguments", arguments);
        params.put(MetaKeys.META, meta);
        byte[] id = "1".getBytes(StandardCharsets.US_ASCII);
        Message call = Message.parse(JsonRpc.request(id, "tools/call", JsonWriter.write(params)));
        Message answer = relay.answerModern(agent, new Scope.All(), call, message -> true, new Cancellation())
                .message();
        JsonValue result = answer.type() == Message.Type.RESULT ? answer.body() : null;
        JsonValue link = result == null ? null : result.member("structuredContent");
        JsonValue refusal = result == null ? null : result.path(MetaKeys.META, REFUSAL);
        if (result != null && refusal != null) {
            throw Refusals.problem(refused(result, refusal));
        }
        if (link == null) {
            throw new ProblemException(500, "FAILED", "The link could not be made.");
        }
        return Reply.json(link);
    }

    private static Refusal refused(JsonValue result, JsonValue refusal) {
        List<JsonValue> content = result.member("content") == null
                ? List.of()
                : result.member("content").elements();
        String code = String.valueOf(refusal.string("code"));
        String text =
                content.isEmpty() ? code : String.valueOf(content.getFirst().string("text"));
        String said = text.startsWith(code + ": ") ? text.substring(code.length() + 2) : text;
        int split = said.indexOf(". ");
        Map<String, Object> details = new LinkedHashMap<>();
        refusal.forEachMember((name, value) -> {
            if (!List.of("code", "disposition", "retryable").contains(name.string())) {
                details.put(name.string(), value);
            }
        });
        JsonValue retryable = refusal.member("retryable");
        return new Refusal(
                code,
                Disposition.valueOf(String.valueOf(refusal.string("disposition"))),
                retryable != null && retryable.is(JsonValue.Kind.TRUE),
                split < 0 ? said : said.substring(0, split),
                split < 0 ? "Ask the operator" : said.substring(split + 2).replaceFirst("\\.$", ""),
                details);
    }
}
