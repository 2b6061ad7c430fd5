package dev.postern.gate.upstream;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.policy.Judged;
import dev.postern.gate.scrub.Raw;
import dev.postern.gate.substitute.Armed;

/** Where an armed call goes: one agent session's connection to one server, as the protocol layer sees fit. */
@FunctionalInterface
public interface Upstream {
    /**
     * Looks at a call that the policy lets through, before the vault is read and anyone is asked (P1).
     *
     * @throws dev.postern.gate.call.RefusedException if it could not run as it is
     */
    default void vet(Judged judged) {}

    /**
     * Sends the call and waits for its answer: the whole JSON-RPC response, result or error.
     *
     * @throws UpstreamException if no usable answer came
     */
    Raw execute(Armed call, Cancellation cancellation);
}
