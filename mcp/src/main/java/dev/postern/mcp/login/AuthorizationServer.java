package dev.postern.mcp.login;

import dev.postern.json.JsonValue;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an authorization server says of itself (RFC 8414).
 *
 * @param registration where clients register; null where they cannot
 * @param revocation where tokens are given back (RFC 7009); null where they cannot be
 * @param sendsIssuer whether its redirects have {@code iss} (RFC 9207)
 * @param scopes what can be asked for
 * @param authentication how a client with a secret shows it at the token endpoint
 */
record AuthorizationServer(
        String issuer,
        URI authorization,
        URI token,
        @Nullable URI registration,
        @Nullable URI revocation,
        boolean sendsIssuer,
        Set<String> scopes,
        Set<String> authentication) {
    /**
     * Reads its metadata.
     *
     * @param address where it is
     * @throws LoginException if it lacks what a login needs, or is another's
     */
    static AuthorizationServer of(JsonValue metadata, String issuer, URI address) {
        if (!issuer.equals(metadata.string("issuer"))) {
            throw new LoginException("the authorization server's metadata is that of another issuer");
        }
        URI authorization = Web.address(metadata.string("authorization_endpoint"), address);
        URI token = Web.address(metadata.string("token_endpoint"), address);
        if (authorization == null || token == null) {
            throw new LoginException("the authorization server's metadata names no https endpoints");
        }
        if (!texts(metadata.member("code_challenge_methods_supported")).contains("S256")) {
            throw new LoginException(
                    "the authorization server does not offer PKCE with S256, without which a code is not safe");
        }
        JsonValue sendsIssuer = metadata.member("authorization_response_iss_parameter_supported");
        return new AuthorizationServer(
                issuer,
                authorization,
                token,
                Web.address(metadata.string("registration_endpoint"), address),
                Web.address(metadata.string("revocation_endpoint"), address),
                sendsIssuer != null && sendsIssuer.is(JsonValue.Kind.TRUE),
                texts(metadata.member("scopes_supported")),
                texts(metadata.member("token_endpoint_auth_methods_supported")));
    }

    static Set<String> texts(@Nullable JsonValue array) {
        Set<String> texts = new LinkedHashSet<>();
        if (array != null && array.is(JsonValue.Kind.ARRAY)) {
            array.elements().stream()
                    .filter(element -> element.is(JsonValue.Kind.STRING))
                    .forEach(element -> texts.add(element.string()));
        }
        return texts;
    }
}
