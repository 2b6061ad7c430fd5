package dev.postern.mcp.relay;

import org.jspecify.annotations.Nullable;

/** Ends a request with a JSON-RPC error of our own. The text says what is wrong, where, and what to do; it quotes no value. */
public final class AnswerException extends RuntimeException {
    private final int code;
    private final byte @Nullable [] data;

    public AnswerException(int code, String message) {
        this(code, message, null);
    }

    /** @param data the error's {@code data}, JSON; null for none */
    public AnswerException(int code, String message, byte @Nullable [] data) {
        super(message, null, false, false);
        this.code = code;
        this.data = data;
    }

    public int code() {
        return code;
    }

    public byte @Nullable [] data() {
        return data;
    }
}
