package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.person.Person;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import dev.postern.web.auth.People;
import dev.postern.web.auth.Verdict;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code portal.link} and {@code passphrase.set}, and the passphrase before every act that decides (A1): where the operator set
 * one, a program of this user needs it to approve, to grant, to write secrets, to make links and agents' keys, to apply a
 * policy, to end a kill or to sign in.
 */
public final class PortalOperations {
    private static final Set<String> GUARDED = Set.of(
            "approve",
            "deny",
            "secret.add",
            "secret.rotate",
            "secret.remove",
            "server.login",
            "link.add",
            "agent.add",
            "agent.rotate",
            "policy.apply",
            "definitions.accept",
            "vault.rotate-key",
            "ledger.delete-archives",
            "portal.link",
            "passphrase.set");

    private final People people;
    private final String url;

    public PortalOperations(People people, String url) {
        this.people = people;
        this.url = url;
    }

    /** Adds {@code portal.link} and {@code passphrase.set}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("portal.link", (request, peer) -> {
            Person operator = people.operator();
            return Map.of("sign_in", url + people.link(operator, operator.name(), People.LINK_LIFETIME));
        });
        operations.put("passphrase.set", (request, peer) -> {
            people.setPassphrase(people.operator(), request.requiredValue(), Person.OPERATOR);
            return Map.of("set", true);
        });
    }

    /** Before an operation: whoever decides shows the passphrase, where there is one. */
    public void check(ControlRequest request) {
        if (!isGuarded(request) || !people.operatorHasPassphrase()) {
            return;
        }
        @Nullable SecretValue passphrase = request.passphrase();
        if (passphrase == null) {
            throw new ControlException(
                    ExitCode.FAILED,
                    ControlException.PASSPHRASE_REQUIRED,
                    "this takes the operator's passphrase: run it at a terminal, or set POSTERN_PASSPHRASE.");
        }
        switch (people.verify(Person.OPERATOR, passphrase)) {
            case Verdict.Right _ -> {}
            case Verdict.Wrong _ ->
                throw new ControlException(ExitCode.FAILED, "PASSPHRASE_WRONG", "the passphrase did not match.");
            case Verdict.Wait wait ->
                throw new ControlException(
                        ExitCode.FAILED,
                        "PASSPHRASE_WAIT",
                        "too many tries; wait " + (wait.remaining().toSeconds() + 1) + " s.");
        }
    }

    private static boolean isGuarded(ControlRequest request) {
        if (request.operation().equals("kill")) {
            JsonValue on = request.arguments().member("on");
            return on == null || !on.is(JsonValue.Kind.TRUE);
        }
        return GUARDED.contains(request.operation());
    }
}
