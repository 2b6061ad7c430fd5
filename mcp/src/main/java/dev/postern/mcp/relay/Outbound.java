package dev.postern.mcp.relay;

import dev.postern.gate.scrub.Capped;
import dev.postern.gate.scrub.Scrubbed;
import dev.postern.mcp.wire.Message;
import java.util.function.Function;

/**
 * One JSON-RPC message on its way to an agent. Made of what passed the choke point or of our own words, and of nothing
 * else: a server's bytes are a {@link dev.postern.gate.scrub.Raw}, which nobody here can read (S1).
 */
public final class Outbound {
    private final byte[] bytes;
    private final boolean refusal;

    private Outbound(byte[] bytes, boolean refusal) {
        this.bytes = bytes;
        this.refusal = refusal;
    }

    /** A message we composed. */
    public static Outbound ours(byte[] composed) {
        return new Outbound(composed, false);
    }

    /** A refused call, in our words. */
    static Outbound refusal(byte[] composed) {
        return new Outbound(composed, true);
    }

    static Outbound of(Scrubbed clean) {
        return new Outbound(clean.bytes(), false);
    }

    static Outbound of(Capped clean) {
        return new Outbound(clean.bytes(), false);
    }

    /** The same message after an edit of our own: an id, a name, a member that the client's era asks for. */
    Outbound edited(Function<Message, byte[]> edit) {
        return new Outbound(edit.apply(message()), refusal);
    }

    /** Whether this tells of a refused call, and of nothing that a server said. */
    public boolean isRefusal() {
        return refusal;
    }

    /** The message, indexed anew. */
    public Message message() {
        return Message.parse(bytes);
    }

    /** The whole message. Shared: read only. */
    public byte[] bytes() {
        return bytes;
    }
}
