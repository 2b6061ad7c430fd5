package dev.postern.web.auth;

import dev.postern.web.http.Request;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What browsers know the portal as, for passkeys: they are kept for host names, so there is none at an address such as
 * {@code 127.0.0.1}. Either the address that the configuration names, or {@code localhost} at the port that is served;
 * whatever other name or port a request came under is not taken from the request. Else a page of another port of this machine
 * could have a passkey sign for itself, and whoever serves it could come here under its name.
 */
public final class RelyingParty {
    private final @Nullable URI address;

    /** @param address scheme, host and port under which people reach the portal, in lower case; null for this machine alone */
    public RelyingParty(@Nullable URI address) {
        this.address = address;
    }

    /**
     * An origin and its host name.
     *
     * @param origin such as {@code https://postern.example.com}; what a browser signs
     * @param id such as {@code postern.example.com}
     */
    record Party(String origin, String id) {}

    /** For the address a request came under; empty where browsers keep no passkeys for it. */
    Optional<Party> of(Request request) {
        String origin = request.origin();
        URI uri = URI.create(origin);
        String host = uri.getHost();
        boolean isOurs = ("localhost".equals(host) && port(uri) == request.port())
                || (address != null && origin.equals(address.toString()));
        return isOurs ? Optional.of(new Party(origin, host)) : Optional.empty();
    }

    private static int port(URI origin) {
        if (origin.getPort() >= 0) {
            return origin.getPort();
        }
        return "https".equals(origin.getScheme()) ? 443 : 80;
    }

    /** Where passkeys can be used instead. */
    String elsewhere(Request request) {
        return address == null ? "http://localhost:" + request.port() : address.toString();
    }
}
