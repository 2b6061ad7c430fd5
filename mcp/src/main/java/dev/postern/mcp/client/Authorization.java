package dev.postern.mcp.client;

import dev.postern.secret.SecretValue;
import java.net.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credential of a server that may change while a connection is open. Thread-safe; its calls may wait. */
public interface Authorization {
    /** The {@code Authorization} header for the next request, which the caller closes; null if there is none. */
    @Nullable
    SecretValue header();

    /**
     * The server did not take a request.
     *
     * @param status 401 or 403
     * @param challenge its {@link #challenge}s; null if it sent none
     * @param sent the header it had; null if it had none, or was sent once more already
     * @return whether it is worth sending the request once more
     */
    boolean refused(int status, @Nullable String challenge, @Nullable SecretValue sent);

    /** All challenges of a response, as one {@code WWW-Authenticate} would list them; null if there is none. */
    static @Nullable String challenge(HttpHeaders headers) {
        List<String> all = headers.allValues("WWW-Authenticate");
        return all.isEmpty() ? null : String.join(", ", all);
    }

    /** What the operator can do about a refusal, in our words. */
    String remedy();
}
