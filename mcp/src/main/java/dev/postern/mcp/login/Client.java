package dev.postern.mcp.login;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.secret.SecretValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The gateway as an authorization server knows it.
 *
 * @param authentication how it shows its secret at the token endpoint
 * @param secret null where it has none
 */
record Client(String id, String authentication, @Nullable SecretValue secret) {
    /** One that the operator registered by hand. */
    static Client named(String id) {
        return new Client(id, "none", null);
    }

    /**
     * Registers (RFC 7591).
     *
     * @param back where browsers are sent back to
     * @throws LoginException if that cannot be done there, or was refused
     */
    static Client register(Web web, AuthorizationServer at, Set<String> scopes, String back) {
        if (at.registration() == null) {
            throw new LoginException(
                    "the authorization server does not let clients register by themselves: register one there with the redirect address "
                            + back + " and name it with --client-id");
        }
        String authentication = at.authentication().isEmpty()
                        || at.authentication().contains("none")
                ? "none"
                : at.authentication().contains("client_secret_basic") ? "client_secret_basic" : "client_secret_post";
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("client_name", "Postern");
        metadata.put("application_type", "native");
        metadata.put("redirect_uris", List.of(back));
        metadata.put("grant_types", List.of("authorization_code", "refresh_token"));
        metadata.put("response_types", List.of("code"));
        metadata.put("token_endpoint_auth_method", authentication);
        if (!scopes.isEmpty()) {
            metadata.put("scope", String.join(" ", scopes));
        }
        Web.Answer answer = web.post(
                at.registration(),
                Map.of("Content-Type", "application/json", "Accept", "application/json"),
                JsonWriter.write(metadata));
        JsonValue json = answer.json();
        String id = json == null ? null : json.string("client_id");
        if (answer.status() / 100 != 2 || json == null || id == null) {
            throw new LoginException(
                    "the authorization server did not register the gateway (HTTP " + answer.status() + ")");
        }
        String agreed = json.string("token_endpoint_auth_method");
        SecretValue secret = Login.value(json, "client_secret");
        return new Client(id, secret == null ? "none" : agreed == null ? "client_secret_basic" : agreed, secret);
    }
}
