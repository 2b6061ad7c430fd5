package dev.postern.mcp.oauth;

import dev.postern.gate.agent.Permission;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose tokens are taken, and for whom.
 *
 * @param issuer the authorization server, exactly as its tokens spell it
 * @param keys where its key set is; null to ask its metadata
 * @param resource what clients know this gateway as, such as {@code https://postern.example.com}; without a path or slash
 * @param algorithms the signatures that are taken, by their JOSE names
 * @param scopes what each permission is called among the issuer's scopes
 * @param agents which agent a token stands for: the first entry that fits
 * @param addsUnknown whether a subject that no entry fits becomes an agent of its own; otherwise it is refused
 */
public record ResourceServerSettings(
        String issuer,
        @Nullable URI keys,
        String resource,
        Set<String> algorithms,
        Map<Permission, String> scopes,
        List<AgentRule> agents,
        boolean addsUnknown) {
    /** What may be listed: signatures with public keys only. A token without one is never taken. */
    public static final Set<String> KNOWN_ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    /** What is taken where nothing is listed. */
    public static final Set<String> USUAL_ALGORITHMS = Set.of("RS256", "PS256", "ES256");

    /**
     * One entry of the list.
     *
     * @param subject the token's {@code sub}; null for any
     * @param client the token's {@code client_id} or {@code azp}; null for any
     * @param agent the name of an agent
     */
    public record AgentRule(
            @Nullable String subject, @Nullable String client, String agent) {
        boolean fits(@Nullable String tokenSubject, @Nullable String tokenClient) {
            return (subject == null || subject.equals(tokenSubject)) && (client == null || client.equals(tokenClient));
        }
    }
}
