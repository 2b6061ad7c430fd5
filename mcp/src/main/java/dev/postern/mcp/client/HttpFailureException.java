package dev.postern.mcp.client;

/** An HTTP request that brought no usable response. The text is ours and quotes nothing. */
final class HttpFailureException extends Exception {
    private final String what;
    private final boolean unreachable;

    /**
     * Says what happened.
     *
     * @param what one static sentence without its full stop
     * @param unreachable whether the request certainly did not reach the server
     */
    HttpFailureException(String what, boolean unreachable) {
        super(what, null, false, false);
        this.what = what;
        this.unreachable = unreachable;
    }

    String what() {
        return what;
    }

    boolean isUnreachable() {
        return unreachable;
    }
}
