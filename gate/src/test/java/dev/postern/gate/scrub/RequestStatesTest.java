package dev.postern.gate.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.detect.CapturedValues;
import dev.postern.gate.detect.DetectionModes;
import dev.postern.gate.detect.DetectionSettings;
import dev.postern.gate.detect.Screening;
import dev.postern.json.JsonValue;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.RecentValues;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S1: "requestState must be echoed as it came, so it is swapped for a handle of ours". P7: further rounds. */
class RequestStatesTest {
    private static final String STATE = "\"c3RhdGU\\u003d correct-horse\"";

    private static final Caller ANN = new Caller("agent", "agent", "ann", Set.of());
    private static final ToolName FILES = new ToolName("files", "write");

    private final ChokePoint chokePoint = new ChokePoint(
            new RecentValues(InstantSource.system()),
            new Screening(DetectionSettings.of(DetectionModes.DEFAULTS), new CapturedValues(InstantSource.system())),
            () -> true);

    private Scrubbed clean(String message, String fingerprint) {
        try (var delivery = chokePoint.deliver(ANN, FILES, List.of(), fingerprint)) {
            return delivery.clean(Raw.received(utf8(message)));
        }
    }

    private static String inputRequired(String rest) {
        return "{\"jsonrpc\":\"2.0\",\"id\":1, \"result\":{\"resultType\":\"input_required\"," + rest + "}}";
    }

    private static String handleIn(Scrubbed scrubbed) {
        JsonValue state = JsonValue.parse(scrubbed.bytes()).path("result", "requestState");
        return state == null ? "" : state.string();
    }

    @Test
    @DisplayName("S1: the agent gets a handle, the server gets back the very bytes, and the rest is scrubbed")
    void theStateIsSwappedAndTheRestScrubbed() {
        List<LiveSecret> live = List.of(new LiveSecret("{{vault:db}}", new SecretValue(utf8("correct-horse"))));
        try (var _ = chokePoint.deliver(ANN, FILES, live, "")) {
            Scrubbed scrubbed = clean(inputRequired("\"x\": \"correct-horse\" ,\"requestState\":" + STATE), "");
            String handle = handleIn(scrubbed);
            assertThat(new String(scrubbed.bytes(), StandardCharsets.UTF_8))
                    .isEqualTo(inputRequired("\"x\": \"{{vault:db}}\" ,\"requestState\":\"" + handle + "\""));
            assertThat(scrubbed.hits()).isEqualTo(1);
            assertThat(chokePoint
                            .states()
                            .open(handle, "ann", "files")
                            .orElseThrow()
                            .state())
                    .isEqualTo(utf8(STATE));
        }
    }

    @Test
    void aHandleOpensForItsUserAndServerOnly() {
        String handle = handleIn(clean(inputRequired("\"requestState\":\"s\""), ""));
        assertThat(chokePoint.states().open(handle, "bob", "files")).isEmpty();
        assertThat(chokePoint.states().open(handle, "ann", "other")).isEmpty();
        assertThat(chokePoint.states().open(handle + "A", "ann", "files")).isEmpty();
        assertThat(chokePoint.states().open("postern.", "ann", "files")).isEmpty();
    }

    @Test
    void aHandleLapses() {
        Instant[] now = {Instant.EPOCH};
        RequestStates states = new RequestStates(() -> now[0]);
        String handle = states.seal(utf8("\"s\""), "ann", "files", "");
        now[0] = now[0].plus(RequestStates.LIFETIME).minusMillis(1);
        assertThat(states.open(handle, "ann", "files")).isPresent();
        now[0] = now[0].plusMillis(1);
        assertThat(states.open(handle, "ann", "files")).isEmpty();
    }

    @Test
    @DisplayName("P7, P5: a handle lets the approved call go on once, even where the server gave no state")
    void aHandleContinuesAnApprovedCallOnce() {
        String handle = handleIn(clean(inputRequired("\"inputRequests\":{}"), "abc123"));
        RequestStates.Opened first =
                chokePoint.states().open(handle, "ann", "files").orElseThrow();
        assertThat(first.continuation()).isEqualTo("abc123");
        assertThat(first.hasState()).isFalse();
        assertThat(chokePoint
                        .states()
                        .open(handle, "ann", "files")
                        .orElseThrow()
                        .continuation())
                .isEmpty();
    }

    @Test
    @DisplayName("S11: any other message passes as the very same array")
    void otherMessagesPassUntouched() {
        byte[] message =
                utf8("{\"result\":{\"requestState\":\"x\",\"resultType\":\"complete\"},\"a\":\"input_required\"}");
        assertThat(chokePoint.clean(Raw.received(message), "ann", "files").bytes())
                .isSameAs(message);
    }

    @Test
    @DisplayName("S10: a state that two readers could read differently is withheld")
    void anAmbiguousStateIsWithheld() {
        for (String twice : List.of("\"requestState\":\"a\",\"request\\u0053tate\":\"b\"", "\"requestState\":7")) {
            assertThatThrownBy(() -> clean(inputRequired(twice), "")).isInstanceOf(ScrubFailedException.class);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
