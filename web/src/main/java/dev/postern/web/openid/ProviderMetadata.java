package dev.postern.web.openid;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.http.AddressGuard;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * What an issuer publishes of itself (OpenID Connect Discovery 1.0).
 *
 * @param userInfo where it tells more of an account than its ID tokens do; null where it does not
 * @param namesItself whether its answers to browsers name their issuer (RFC 9207), so that one without a name is none of its
 * @param takesPostedSecret whether it wants the client secret in the form only
 */
record ProviderMetadata(
        URI authorizationEndpoint,
        URI tokenEndpoint,
        URI keys,
        @Nullable URI userInfo,
        boolean namesItself,
        boolean takesPostedSecret) {
    static ProviderMetadata parse(String issuer, byte[] document) throws OpenIdException {
        try {
            JsonValue root = JsonValue.parse(document);
            if (!issuer.equals(root.string("issuer"))) {
                throw OpenIdException.refused("the provider's metadata is of another issuer");
            }
            JsonValue names = root.member("authorization_response_iss_parameter_supported");
            JsonValue methods = root.member("token_endpoint_auth_methods_supported");
            boolean basic = methods == null
                    || methods.elements().stream().anyMatch(method -> "client_secret_basic".equals(method.string()));
            return new ProviderMetadata(
                    address(root, "authorization_endpoint"),
                    address(root, "token_endpoint"),
                    address(root, "jwks_uri"),
                    root.member("userinfo_endpoint") == null ? null : address(root, "userinfo_endpoint"),
                    names != null && names.is(JsonValue.Kind.TRUE),
                    !basic);
        } catch (JsonException e) {
            throw OpenIdException.unreachable("the provider's metadata is not JSON");
        }
    }

    private static URI address(JsonValue root, String name) throws OpenIdException {
        try {
            String text = root.string(name);
            URI uri = new URI(text == null ? "" : text);
            if (AddressGuard.isTrusted(uri)) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw OpenIdException.refused("the provider's metadata has no https address as " + name);
    }
}
