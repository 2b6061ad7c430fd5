package dev.postern.gate.call;

import dev.postern.gate.scrub.Capped;

/** What one tool call came to: exactly one of these. */
public sealed interface Outcome {
    /** The server answered; the message is scrubbed and capped. */
    record Answered(Capped message) implements Outcome {}

    /**
     * There is no answer for the agent. Unless the disposition is {@code SCRUB_FAILED}, {@code TIMED_OUT},
     * {@code CANCELLED}, {@code KILL_SWITCH} or {@code FAILED}, nothing was sent to the server.
     */
    record Refused(Refusal why) implements Outcome {}
}
