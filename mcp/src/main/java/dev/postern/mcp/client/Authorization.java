package dev.postern.mcp.client;

import dev.postern.secret.SecretValue;
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
     * @param challenge its {@code WWW-Authenticate}, all of them as one; null if it sent none
     * @param sent the header it had; null if it had none, or was sent once more already
     * @return whether it is worth sending the request once more
     */
    boolean refused(int status, @Nullable String challenge, @Nullable SecretValue sent);

    /** What the operator can do about a refusal, in our words. */
    String remedy();
}
