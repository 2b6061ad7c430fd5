package dev.postern.web.openid;

import dev.postern.gate.agent.Role;
import dev.postern.secret.SecretValue;
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
        List<String> scopes,
        Map<String, String> subjects,
        @Nullable String claim,
        @Nullable String rolesClaim,
        Map<String, Role> roles) {
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

    @Override
    public String toString() {
        return "OpenIdSettings[" + issuer + "]";
    }
}
