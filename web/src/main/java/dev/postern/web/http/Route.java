package dev.postern.web.http;

import org.jspecify.annotations.Nullable;

/**
 * One way to call.
 *
 * @param method such as {@code POST}; a route for GET also serves HEAD
 * @param template such as {@code /api/approvals/{id}/approve}; a name in braces stands for one segment
 * @param doc what the OpenAPI document says; null for pages
 * @param maxBodyBytes how much body is read
 * @param background whether a page calls it by itself, so that it does not keep a session from idling out
 */
public record Route(
        String method,
        String template,
        Access access,
        Endpoint endpoint,
        @Nullable RouteDoc doc,
        int maxBodyBytes,
        boolean background) {
    /** Enough for any document of ours and a secret of 8 KB in any encoding. */
    public static final int DEFAULT_MAX_BODY_BYTES = 256 * 1024;

    /** A route of the API. */
    public Route(String method, String template, Access access, Endpoint endpoint, @Nullable RouteDoc doc) {
        this(method, template, access, endpoint, doc, DEFAULT_MAX_BODY_BYTES, false);
    }

    /** A page, or what a page calls. */
    public static Route page(String method, String template, Access access, Endpoint endpoint) {
        return new Route(method, template, access, endpoint, null);
    }

    /** The same, with another bound on the body. */
    public Route withMaxBodyBytes(int bytes) {
        return new Route(method, template, access, endpoint, doc, bytes, background);
    }

    /** The same, called by a page itself: event streams and polls. */
    public Route inBackground() {
        return new Route(method, template, access, endpoint, doc, maxBodyBytes, true);
    }
}
