package dev.postern.app.webhook;

import dev.postern.gate.approval.Approval;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message about one approval. It says what a person has to know to go and look (P8), without a value; what the agent wrote is
 * left out unless asked for, because a message goes to others than those who may decide.
 *
 * @param id the same in each attempt to send it
 * @param until after that it is not worth sending any more
 */
record ApprovalMessage(String id, byte[] body, Instant until) {
    /** What to say of an approval; null where nobody is to be told. */
    static @Nullable ApprovalMessage of(Approval approval, String portal, boolean arguments, Instant now) {
        String event = event(approval.state());
        if (event == null) {
            return null;
        }
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("type", "approval." + event);
        message.put("timestamp", now);
        message.put("data", data(approval, portal, arguments));
        Instant until = event.equals("requested") ? approval.expires() : now.plusSeconds(3600);
        return new ApprovalMessage("msg_" + UUID.randomUUID(), JsonWriter.write(message), until);
    }

    private static @Nullable String event(Approval.State state) {
        return switch (state) {
            case PENDING -> "requested";
            case GRANTED -> "approved";
            case DENIED -> "denied";
            case EXPIRED -> "expired";
            case CANCELLED -> "cancelled";
            case USED -> null;
        };
    }

    private static Map<String, Object> data(Approval approval, String portal, boolean arguments) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", approval.id());
        data.put("agent", approval.agentName());
        data.put("server", approval.server());
        data.put("tool", approval.tool());
        data.put("destination", approval.destination());
        data.put("risk", approval.risk());
        data.put("risk_reasons", approval.riskReasons());
        data.put("secrets", secrets(approval));
        if (arguments) {
            data.put("arguments", JsonValue.parse(approval.arguments()));
        }
        data.put("created_at", approval.created());
        data.put("expires_at", approval.expires());
        data.put("portal", portal);
        if (approval.state() != Approval.State.PENDING) {
            data.put("decided_by", approval.decidedBy());
        }
        return data;
    }

    private static List<Map<String, Object>> secrets(Approval approval) {
        List<Map<String, Object>> secrets = new ArrayList<>();
        for (Approval.SecretUse use : approval.secrets()) {
            Map<String, Object> secret = new LinkedHashMap<>();
            secret.put("name", use.name());
            secret.put("website", use.website());
            secret.put("username", use.username());
            secret.put("field", use.field());
            secrets.add(secret);
        }
        return secrets;
    }

    @Override
    public String toString() {
        return "ApprovalMessage[" + id + "]";
    }
}
