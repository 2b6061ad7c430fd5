package dev.postern.gate.substitute;

import dev.postern.gate.approval.Confirmed;
import dev.postern.gate.call.ToolCall;
import dev.postern.reference.Reference;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A call with its values in place, for as long as it is executed. Made by {@link SubstituteStep} only; its arguments are
 * read by the upstream side only. Closing wipes the values.
 */
public final class Armed implements AutoCloseable {
    private final Confirmed confirmed;
    private final byte[] arguments;
    private final List<LiveSecret> live;
    private final Map<Reference, SecretValue> placed;

    Armed(Confirmed confirmed, byte[] arguments, List<LiveSecret> live, Map<Reference, SecretValue> placed) {
        this.confirmed = confirmed;
        this.arguments = arguments;
        this.live = List.copyOf(live);
        this.placed = Map.copyOf(placed);
    }

    public ToolCall call() {
        return confirmed.call();
    }

    public Confirmed confirmed() {
        return confirmed;
    }

    public boolean bearsSecrets() {
        return !live.isEmpty();
    }

    /** Whether the arguments differ from what the agent wrote. */
    public boolean isSubstituted() {
        return confirmed.bearsSecrets();
    }

    /** The JSON arguments with the values in place. The array is wiped when the call ends. */
    public byte[] arguments(Reveal reason) {
        if (reason != Reveal.TO_DELIVER) {
            throw new IllegalArgumentException("armed arguments are read to deliver them");
        }
        return arguments;
    }

    /** The value of a secret that the call {@linkplain ToolCall#named names}. Wiped when the call ends. */
    public SecretValue named(Reference secret) {
        SecretValue value = call().named().contains(secret) ? placed.get(secret) : null;
        if (value == null) {
            throw new IllegalArgumentException("the call does not name that secret");
        }
        return value;
    }

    /** What the choke point must find in whatever comes back. */
    public List<LiveSecret> live() {
        return live;
    }

    @Override
    public void close() {
        if (isSubstituted()) {
            Arrays.fill(arguments, (byte) 0);
        }
        live.forEach(secret -> secret.value().close());
    }

    @Override
    public String toString() {
        return "Armed[" + call().id() + "]";
    }
}
