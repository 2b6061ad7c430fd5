package dev.postern.web.openid;

import dev.postern.gate.agent.Role;
import dev.postern.secret.SecretValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How people sign in with a provider.
 *
 * @param issuer exactly as the tokens' {@code iss}
 * @param name what the button says
 * @param clientId how the provider knows us
 * @param clientSecret opens it, for one request; null where we have none
 * @param clientAuthentication how the client secret is shown; null for whatever the provider says it takes
 * @param scopes what is asked for; holds {@code openid}
 * @param subjects names of people, by {@code sub}
 * @param claim the claim whose text is a person's name, where {@code subjects} names nobody; null for none
 * @param rolesClaim the claim that holds groups; null where roles are ours alone
 * @param roles roles by group; {@code ADMIN} is none of them
 */
public record OpenIdSettings(
        String issuer,
        String name,
        String clientId,
        @Nullable Supplier<SecretValue> clientSecret,
        @Nullable ClientAuthentication clientAuthentication,
        List<String> scopes,
        Map<String, String> subjects,
        @Nullable String claim,
        @Nullable String rolesClaim,
        Map<String, Role> roles) {
    /** The claim that counts only where {@link #EMAIL_VERIFIED} says so. */
    public static final String EMAIL = "email";

    public static final String EMAIL_VERIFIED = "email_verified";

    /** How a client shows its secret (OpenID Connect Core 1.0, section 9). */
    public enum ClientAuthentication {
        /** In a header: {@code client_secret_basic}. */
        BASIC,
        /** In the form: {@code client_secret_post}. */
        POST
    }

    /** Signatures that are taken: public keys only, never none. */
    static final Set<String> ALGORITHMS = Set.of("RS256", "PS256", "ES256");

    public OpenIdSettings {
        scopes = List.copyOf(scopes);
        subjects = Map.copyOf(subjects);
        roles = Map.copyOf(roles);
        if (roles.containsValue(Role.ADMIN)) {
            throw new IllegalArgumentException("no group makes an administrator");
        }
    }

    /** The claims that say who somebody is here, besides the subject. */
    Set<String> claims() {
        Set<String> claims = new LinkedHashSet<>();
        if (claim != null) {
            claims.add(claim);
            if (claim.equals(EMAIL)) {
                claims.add(EMAIL_VERIFIED);
            }
        }
        if (rolesClaim != null) {
            claims.add(rolesClaim);
        }
        return claims;
    }

    @Override
    public String toString() {
        return "OpenIdSettings[" + issuer + "]";
    }
}
