package dev.postern.app.config;

import dev.postern.gate.agent.Role;
import dev.postern.web.openid.OpenIdSettings.ClientAuthentication;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A provider with whose accounts people sign in.
 *
 * @param clientSecret may hold references; null for a client without one
 * @param clientAuthentication how the secret is shown; null for whatever the provider says it takes
 * @param subjects names of people, by {@code sub}
 * @param claim the claim whose text is a person's name; null for none
 * @param rolesClaim the claim that holds groups; null where roles are made here alone
 */
public record ConfiguredOpenId(
        String issuer,
        String name,
        String clientId,
        @Nullable Setting clientSecret,
        @Nullable ClientAuthentication clientAuthentication,
        List<String> scopes,
        Map<String, String> subjects,
        @Nullable String claim,
        @Nullable String rolesClaim,
        Map<String, Role> roles) {}
