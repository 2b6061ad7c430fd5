package dev.postern.gate.flow;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.scrub.ScrubFailedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What to tell the agent when a call was sent, or was about to be, and no usable answer came. */
final class Failures {
    private static final Logger log = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /** A call that was stopped looks cancelled to whoever waited in its name; it ends with what it was stopped for. */
    static Refusal of(RefusedException e, @Nullable Refusal stoppedBy) {
        return stoppedBy != null && e.refusal().disposition() == Disposition.CANCELLED ? stoppedBy : e.refusal();
    }

    /** As above, for a call that a server worked on. */
    static Refusal of(UpstreamException e, @Nullable Refusal stoppedBy) {
        return stoppedBy != null && e.kind() == UpstreamException.Kind.CANCELLED ? stoppedBy : of(e);
    }

    private static Refusal of(UpstreamException e) {
        return switch (e.kind()) {
            case FAILED ->
                Refusal.of(Disposition.FAILED, true, e.what(), "The next call starts the server again if it must");
            case TIMED_OUT ->
                Refusal.of(
                        Disposition.TIMED_OUT,
                        true,
                        e.what(),
                        "It may still have acted; look before you send the call again");
            case CANCELLED ->
                Refusal.of(
                        Disposition.CANCELLED,
                        true,
                        "the agent cancelled the call",
                        "It may still have acted; look before you send the call again");
            case KILL_SWITCH ->
                Refusal.of(
                        Disposition.KILL_SWITCH,
                        true,
                        e.what(),
                        "Ask the operator to end it with 'postern kill off'; the call may have acted already");
        };
    }

    static Refusal of(ScrubFailedException e) {
        return new Refusal(
                "VAULT_SCRUB_FAILED",
                Disposition.SCRUB_FAILED,
                false,
                "the tool ran, but its answer could not be scrubbed and was withheld: " + e.reason(),
                "Ask for a smaller or simpler answer",
                Map.of());
    }

    static Refusal ledgerUnavailable() {
        return new Refusal(
                "LEDGER_UNAVAILABLE",
                Disposition.FAILED,
                true,
                "the ledger cannot make an entry durable, so nothing was sent",
                "Ask the operator to look at the gateway's disk, then send the call again",
                Map.of());
    }

    /** A fault of our own. The log names its kind and place only: a message may quote data. */
    static Refusal unexpected(CallId call, RuntimeException e) {
        StackTraceElement[] stack = e.getStackTrace();
        log.error("call {} failed: {} at {}", call, e.getClass().getName(), stack.length == 0 ? "?" : stack[0]);
        return Refusal.of(
                Disposition.FAILED, false, "the gateway failed", "Ask the operator to look at the gateway's log");
    }
}
