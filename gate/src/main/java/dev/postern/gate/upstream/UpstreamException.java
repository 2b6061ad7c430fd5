package dev.postern.gate.upstream;

/** It was sent, or could not be sent, and no usable answer came. The message is ours and static. */
public final class UpstreamException extends RuntimeException {
    /** What happened, as the agent will see it. */
    public enum Kind {
        FAILED,
        TIMED_OUT,
        CANCELLED,
        /** The operator stopped it. */
        KILL_SWITCH
    }

    private final Kind kind;
    private final String what;
    private final boolean neverArrived;

    /**
     * Ends a call without an answer.
     *
     * @param what one static sentence without its full stop, such as {@code "the server exited before it answered"}
     */
    public UpstreamException(Kind kind, String what) {
        this(kind, what, false);
    }

    /**
     * Ends a call that may be sent anew.
     *
     * @param neverArrived true if the server certainly did nothing about it: it was not reached, or its session was over
     */
    public UpstreamException(Kind kind, String what, boolean neverArrived) {
        super(what);
        this.kind = kind;
        this.what = what;
        this.neverArrived = neverArrived;
    }

    /** Whether the same call can be sent once more, on a new connection, without running twice. */
    public boolean neverArrived() {
        return neverArrived;
    }

    /** The sentence, without its full stop. */
    public String what() {
        return what;
    }

    public Kind kind() {
        return kind;
    }
}
