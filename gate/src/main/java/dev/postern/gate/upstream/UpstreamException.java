package dev.postern.gate.upstream;

/** It was sent, or could not be sent, and no usable answer came. The message is ours and static. */
public final class UpstreamException extends RuntimeException {
    /** What happened, as the agent will see it. */
    public enum Kind {
        FAILED,
        TIMED_OUT,
        CANCELLED
    }

    private final Kind kind;
    private final String what;

    /**
     * Ends a call without an answer.
     *
     * @param what one static sentence without its full stop, such as {@code "the server exited before it answered"}
     */
    public UpstreamException(Kind kind, String what) {
        super(what);
        this.kind = kind;
        this.what = what;
    }

    /** The sentence, without its full stop. */
    public String what() {
        return what;
    }

    public Kind kind() {
        return kind;
    }
}
