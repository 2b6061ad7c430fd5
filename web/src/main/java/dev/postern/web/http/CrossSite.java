package dev.postern.web.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells a person's own act from one that another site's page made their browser send (A4). Three things hold it off, each
 * enough: the session's cookie is {@code SameSite=Strict}; the browser says where a request comes from; and our pages send
 * back a token that only they were shown.
 */
final class CrossSite {
    static final String TOKEN_HEADER = "X-CSRF-Token";
    static final String TOKEN_FIELD = "csrf";

    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private CrossSite() {}

    static ProblemException refused() {
        return new ProblemException(403, "CROSS_SITE", "Pages of another site cannot do this.");
    }

    static boolean isSafe(String method) {
        return SAFE.contains(method);
    }

    /**
     * Whether a browser says that the request comes from somewhere else. Pages of another port of this machine are somewhere
     * else too. A program that is no browser says nothing.
     */
    static boolean isForeign(Request request) {
        String site = request.header("Sec-Fetch-Site");
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        String origin = request.header("Origin");
        return origin != null && !origin.toLowerCase(Locale.ROOT).equals(request.origin());
    }

    /** Whether the request carries the token of the person's session. Constant time in the token. */
    static boolean hasToken(Request request, Identity.Person person) {
        @Nullable String token = request.header(TOKEN_HEADER);
        if (token == null && request.hasForm()) {
            token = request.form().text(TOKEN_FIELD);
        }
        return token != null
                && MessageDigest.isEqual(
                        token.getBytes(StandardCharsets.UTF_8), person.token().getBytes(StandardCharsets.UTF_8));
    }
}
