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
    private final Reach reach;

    /**
     * How far a call leads, beyond its server.
     *
     * @param web whether its arguments lead to hosts, or its server says of the tool that it reaches an open world
     * @param hosts whether its arguments name a host
     * @param guessed whether they were taken for one by their names only, since nobody declared which lead somewhere
     */
    public record Reach(boolean web, boolean hosts, boolean guessed) {
        static final Reach SERVER = new Reach(false, false, false);
    }

    Resolved(Judged judged, List<SecretUse> uses, Destination destination) {
        this.judged = judged;
        this.uses = List.copyOf(uses);
        this.destination = destination.label();
        this.reach = destination.reach();
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

    /** What the destination is known by, for the person who is asked. */
    public Reach reach() {
        return reach;
    }

    /** Whether rules say to which hosts each of the secrets may go. */
    public boolean hostsAreBounded() {
        return uses.stream()
                .noneMatch(use -> use.secret().destinations().hosts().isEmpty());
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
