package dev.postern.mcp.relay;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Patience;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.scrub.ChokePoint;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.wire.Era;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asking for approval in rounds (P7): a modern client that opens addresses for its user is not held. Its call is answered {@code
 * input_required} with the portal's address, which carries no credential, and a sealed state; it comes back with that state when
 * its user has been there, on this connection or another, to this process or the next. The call that comes back is judged like any
 * other: it joins its pending approval because it is the same call, and the state proves no more than that we asked.
 */
final class ApprovalRounds {
    /** The name of our question among a result's input requests. */
    static final String QUESTION = "postern-approval";

    private static final String STATE = "requestState";
    private static final String RESPONSES = "inputResponses";

    private final ChokePoint chokePoint;
    private final String user;
    private final boolean offered;
    private final boolean returning;
    private final boolean declined;

    private ApprovalRounds(ChokePoint chokePoint, JsonValue params, String user, boolean offered) {
        this.chokePoint = chokePoint;
        this.user = user;
        this.offered = offered;
        JsonValue state = params.member(STATE);
        this.returning = state != null
                && state.is(Kind.STRING)
                && chokePoint.openApproval(state.string(), user).isPresent();
        JsonValue answer = returning ? params.path(RESPONSES, QUESTION) : null;
        String action = answer == null ? null : answer.string("action");
        this.declined = "decline".equals(action) || "cancel".equals(action);
    }

    static ApprovalRounds of(ChokePoint chokePoint, JsonValue params, Era client, String user) {
        JsonValue url = params.path("_meta", MetaKeys.CLIENT_CAPABILITIES, "elicitation", "url");
        return new ApprovalRounds(chokePoint, params, user, client == Era.MODERN && url != null && url.is(Kind.OBJECT));
    }

    /** Whether the call comes back from our question: its state and the answer are ours, and no server's. */
    boolean isReturning() {
        return returning;
    }

    /** How long a call that asks is held: not at all the first time, where its user can be sent to the portal. */
    Patience patience(Patience usual) {
        if (declined) {
            Cancellation given = new Cancellation();
            given.fire();
            return new Patience(usual.hold(), usual.heartbeat(), given);
        }
        return offered && !returning ? new Patience(Duration.ZERO, null, usual.cancellation()) : usual;
    }

    /** What the server gets to see of the params. */
    ParamsEdit withoutOurs(ParamsEdit edit) {
        return returning ? edit.remove(Set.of(STATE, RESPONSES)) : edit;
    }

    /** The question to the client's user instead of a refusal; null where there is nothing to ask, or nobody can be. */
    @Nullable
    Outbound question(Message request, Refusal why) {
        Object approval = why.details().get("approval");
        Object portal = why.details().get("portal");
        if (!offered || why.disposition() != Disposition.APPROVAL_PENDING || approval == null || portal == null) {
            return null;
        }
        Map<String, Object> asked = new LinkedHashMap<>();
        asked.put("mode", "url");
        asked.put("elicitationId", approval);
        asked.put("url", portal + "/approvals");
        asked.put(
                "message", "This call uses a secret and waits for your approval in Postern. Approve or deny it there.");
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("resultType", "input_required");
        result.put("inputRequests", Map.of(QUESTION, Map.of("method", "elicitation/create", "params", asked)));
        result.put(STATE, chokePoint.sealApproval(String.valueOf(approval), user));
        return Answers.result(request, JsonWriter.write(result), Era.MODERN);
    }
}
