package dev.postern.mcp.wire;

/** Bytes that are no JSON-RPC message. The text is ours and quotes nothing. */
public final class MalformedMessageException extends RuntimeException {
    private final int code;

    public MalformedMessageException(int code, String what) {
        super(what, null, false, false);
        this.code = code;
    }

    /** The JSON-RPC error code to answer with. */
    public int code() {
        return code;
    }
}
