package dev.postern.mcp.relay;

import dev.postern.gate.scrub.RequestStates;
import dev.postern.gate.scrub.RequestStates.Opened;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.JsonRpc;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code requestState} of a further round: the agent brings back a handle of ours, the server gets what it sent (S1).
 * A state that is no handle of ours is the server's business and passes.
 */
final class RequestState {
    private static final String MEMBER = "requestState";
    static final RequestState NONE = new RequestState(null, null);

    private final @Nullable JsonValue handle;
    private final @Nullable Opened opened;

    private RequestState(@Nullable JsonValue handle, @Nullable Opened opened) {
        this.handle = handle;
        this.opened = opened;
    }

    /** @throws AnswerException if the handle is one of ours and does not open any more */
    static RequestState of(@Nullable JsonValue params, ServerLink link) {
        JsonValue value = params == null ? null : params.member(MEMBER);
        if (value == null || !value.is(JsonValue.Kind.STRING) || !RequestStates.isHandle(value.string())) {
            return NONE;
        }
        Opened opened = link.open(value.string())
                .orElseThrow(
                        () -> new AnswerException(
                                JsonRpc.INVALID_PARAMS,
                                "params.requestState is too old or belongs to another request: send the request without it to begin anew"));
        return new RequestState(value, opened);
    }

    /** Names the approved call that this one goes on with; empty if there is none. */
    String continues() {
        return opened == null ? "" : opened.continuation();
    }

    ParamsEdit restore(ParamsEdit edit) {
        if (handle == null || opened == null) {
            return edit;
        }
        return opened.hasState() ? edit.replace(handle, opened.state()) : edit.remove(Set.of(MEMBER));
    }
}
