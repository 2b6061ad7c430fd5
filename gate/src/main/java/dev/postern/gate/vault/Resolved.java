package dev.postern.gate.vault;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.policy.Judged;
import java.util.List;

/** A call whose secrets exist and may go where it sends them. Holds records, not values. Made by {@link ResolveStep} only. */
public final class Resolved {
    /** Stands in a destination for a host that cannot be told from the arguments. No host is called so. */
    public static final String UNKNOWN_HOST = "unknown host";

    private final Judged judged;
    private final List<SecretUse> uses;
    private final String destination;

    Resolved(Judged judged, List<SecretUse> uses, String destination) {
        this.judged = judged;
        this.uses = List.copyOf(uses);
        this.destination = destination;
    }

    public Judged judged() {
        return judged;
    }

    public ToolCall call() {
        return judged.call();
    }

    /** One for each distinct reference, in order of first use. */
    public List<SecretUse> uses() {
        return uses;
    }

    /** Where the values would go: the server, and the host where the arguments name one. */
    public String destination() {
        return destination;
    }

    /** Whether a destination leaves no host open; only such a one can be granted beforehand (P4). */
    public static boolean isKnown(String destination) {
        return !destination.contains(UNKNOWN_HOST);
    }

    public boolean bearsSecrets() {
        return !uses.isEmpty();
    }

    /** Whether a person must be asked: always for a secret (P2), else where a rule says so. */
    public boolean mustAsk() {
        return bearsSecrets() || judged.ask();
    }
}
