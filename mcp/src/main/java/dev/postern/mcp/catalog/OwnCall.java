package dev.postern.mcp.catalog;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.substitute.Armed;
import dev.postern.json.JsonValue;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;

/**
 * A call of one of our own tools that may run: approved where it had to be. Valid until {@link OwnTool#call} returns, when its
 * values are wiped.
 */
public final class OwnCall {
    private final Armed armed;
    private final JsonValue arguments;
    private final Cancellation cancellation;

    /** @param arguments the armed call's, values in place */
    public OwnCall(Armed armed, JsonValue arguments, Cancellation cancellation) {
        this.armed = armed;
        this.arguments = arguments;
        this.cancellation = cancellation;
    }

    /** With values in place of references. */
    public JsonValue arguments() {
        return arguments;
    }

    public Caller caller() {
        return armed.call().caller();
    }

    public CallId id() {
        return armed.call().id();
    }

    /** Whether values of secrets stand in the arguments, or were named. */
    public boolean bearsSecrets() {
        return armed.bearsSecrets();
    }

    /** Who let it through; the agent itself where nobody had to be asked. */
    public String approver() {
        String approver = armed.confirmed().approver();
        return approver == null ? caller().name() : approver;
    }

    /** {@code <id>.<field>} of a secret that the call {@linkplain OwnTool#names names}. */
    public String ledgerName(Reference secret) {
        return armed.confirmed().resolved().uses().stream()
                .filter(use -> use.reference().equals(secret))
                .findFirst()
                .orElseThrow()
                .ledgerName();
    }

    /** The value of a secret that the call {@linkplain OwnTool#names names}. */
    public SecretValue value(Reference secret) {
        return armed.named(secret);
    }

    /** Fired when the agent no longer wants the answer. */
    public Cancellation cancellation() {
        return cancellation;
    }
}
