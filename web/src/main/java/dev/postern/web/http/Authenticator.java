package dev.postern.web.http;

/** Tells who sent a request. */
public interface Authenticator {
    /**
     * By the {@code Authorization} header where there is one, even a wrong one, else by the session's cookie.
     *
     * @param active whether the request is an act of somebody, so that a person's session is not idle; false for what a page
     *     asks by itself
     */
    Identity identify(Request request, boolean active);

    /** Whether a stream that was opened for somebody may go on. */
    boolean isLive(Identity identity);
}
