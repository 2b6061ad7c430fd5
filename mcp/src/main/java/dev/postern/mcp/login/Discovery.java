package dev.postern.mcp.login;

import dev.postern.json.JsonValue;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds out which authorization server a server trusts, and what to ask of it (2026-07-28, "Authorization Server Discovery"). */
final class Discovery {
    private static final String RESOURCE = "/.well-known/oauth-protected-resource";
    private static final byte[] PROBE =
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}".getBytes(StandardCharsets.US_ASCII);

    private final Web web;

    Discovery(Web web) {
        this.web = web;
    }

    /**
     * What was found.
     *
     * @param resource what the tokens will be for
     * @param scopes what to ask for; empty to ask for nothing in particular
     */
    record Found(AuthorizationServer server, String resource, Set<String> scopes) {}

    /** @throws LoginException if the server names no authorization server that can be used */
    Found of(URI endpoint) {
        if (Web.address(endpoint.toString()) == null) {
            throw new LoginException("a token is sent over https alone: change the server's address");
        }
        Challenge challenge = Challenge.of(web.challenge(endpoint, PROBE));
        Optional<JsonValue> metadata = metadata(endpoint, challenge.get("resource_metadata"));
        String resource = metadata.map(document -> document.string("resource")).orElse(null);
        if (metadata.isPresent() && (resource == null || !covers(resource, endpoint))) {
            throw new LoginException("the server's metadata is that of another resource");
        }
        List<String> issuers = metadata.map(
                        document -> List.copyOf(AuthorizationServer.texts(document.member("authorization_servers"))))
                .orElse(List.of(origin(endpoint)));
        if (issuers.isEmpty()) {
            throw new LoginException("the server's metadata names no authorization server");
        }
        AuthorizationServer server = server(issuers.getFirst(), endpoint);
        Set<String> scopes = scopes(challenge.get("scope"), metadata.orElse(null));
        return new Found(server, resource == null ? endpoint.toString() : resource, scopes);
    }

    private Optional<JsonValue> metadata(URI endpoint, @Nullable String named) {
        URI place = Web.address(named, endpoint);
        if (named != null) {
            if (place == null) {
                throw new LoginException("the server names an address for its metadata that is not https");
            }
            return web.document(place);
        }
        Optional<JsonValue> own = web.document(URI.create(origin(endpoint) + RESOURCE + path(endpoint)));
        return own.isPresent() ? own : web.document(URI.create(origin(endpoint) + RESOURCE));
    }

    private static Set<String> scopes(@Nullable String wanted, @Nullable JsonValue metadata) {
        if (wanted != null) {
            return new LinkedHashSet<>(List.of(wanted.strip().split(" +")));
        }
        return metadata == null ? Set.of() : AuthorizationServer.texts(metadata.member("scopes_supported"));
    }

    /** The places of RFC 8414 and of OpenID Connect Discovery, in the order that 2026-07-28 gives. */
    private AuthorizationServer server(String issuer, URI endpoint) {
        URI address = Web.address(issuer, endpoint);
        if (address == null) {
            throw new LoginException("the server names an authorization server that is not https");
        }
        String path = path(address);
        List<String> places = new ArrayList<>();
        places.add(origin(address) + "/.well-known/oauth-authorization-server" + path);
        places.add(origin(address) + "/.well-known/openid-configuration" + path);
        if (!path.isEmpty()) {
            places.add(origin(address) + path + "/.well-known/openid-configuration");
        }
        for (String place : places) {
            Optional<JsonValue> metadata = web.document(URI.create(place));
            if (metadata.isPresent()) {
                return AuthorizationServer.of(metadata.get(), issuer, address);
            }
        }
        throw new LoginException("the authorization server publishes no metadata");
    }

    /** Whether tokens for a resource may be sent to an endpoint: the same origin, and the same path or one above it. */
    static boolean covers(String resource, URI endpoint) {
        URI uri = Web.address(resource);
        if (uri == null || !origin(uri).equalsIgnoreCase(origin(endpoint))) {
            return false;
        }
        return path(endpoint).equals(path(uri)) || path(endpoint).startsWith(path(uri) + "/");
    }

    private static String origin(URI uri) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
    }

    private static String path(URI uri) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
