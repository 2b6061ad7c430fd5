package dev.postern.gate.substitute;

import dev.postern.gate.approval.Confirmed;
import dev.postern.gate.call.ToolCall;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.Reveal;
import java.util.Arrays;
import java.util.List;

/**
 * A call with its values in place, for as long as it is executed. Made by {@link SubstituteStep} only; its arguments are
 * read by the upstream side only. Closing wipes the values.
 */
public final class Armed implements AutoCloseable {
    private final Confirmed confirmed;
    private final byte[] arguments;
    private final List<LiveSecret> live;

    Armed(Confirmed confirmed, byte[] arguments, List<LiveSecret> live) {
        this.confirmed = confirmed;
        this.arguments = arguments;
        this.live = List.copyOf(live);
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
