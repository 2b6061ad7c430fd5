package dev.postern.mcp.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.relay.Scope;
import dev.postern.mcp.server.ResourceServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that are JSON Web Tokens (RFC 9068), checked by the issuer's published keys: signature by a listed algorithm,
 * issuer, audience, time, and who it stands for. Thread-safe.
 */
public final class JwtResourceServer implements ResourceServer {
    private static final String WELL_KNOWN = "/.well-known/oauth-protected-resource";
    private static final int MOST_SKEW_SECONDS = 60;
    private static final int MAX_TOKEN_CHARACTERS = 16 << 10;

    private final ResourceServerSettings settings;
    private final TokenAgents agents;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    public JwtResourceServer(ResourceServerSettings settings, AgentStore agents) {
        this.settings = settings;
        this.agents = new TokenAgents(settings, agents);
        Set<JWSAlgorithm> algorithms =
                settings.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(
                new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), JOSEObjectType.JWT, null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, new IssuerKeys(settings)));
        DefaultJWTClaimsVerifier<SecurityContext> claims = new DefaultJWTClaimsVerifier<>(
                new JWTClaimsSet.Builder().issuer(settings.issuer()).build(), Set.of("exp", "aud"));
        claims.setMaxClockSkew(MOST_SKEW_SECONDS);
        processor.setJWTClaimsSetVerifier(claims);
    }

    @Override
    public Verdict check(String token, Scope endpoint) {
        if (token.length() > MAX_TOKEN_CHARACTERS) {
            return new Verdict.Bad("the token is too long");
        }
        JWTClaimsSet claims;
        try {
            claims = processor.process(token, null);
        } catch (KeySourceException e) {
            return new Verdict.Unknown();
        } catch (ParseException | BadJOSEException | JOSEException | RuntimeException e) {
            return new Verdict.Bad("the token is malformed, expired, of another issuer or not signed by its keys");
        }
        try {
            return judge(claims, endpoint);
        } catch (ParseException e) {
            return new Verdict.Bad("a claim of the token is not of its type");
        }
    }

    private Verdict judge(JWTClaimsSet claims, Scope endpoint) throws ParseException {
        if (claims.getAudience().stream().noneMatch(audiences(endpoint)::contains)) {
            return new Verdict.Bad("the token is for another resource");
        }
        if (claims.getClaim("cnf") != null) {
            // Whoever stole it would be taken for its owner.
            return new Verdict.Bad("the token is bound to a proof that is not taken here");
        }
        String client = claims.getStringClaim("client_id");
        Optional<Caller> agent = agents.of(claims.getSubject(), client == null ? claims.getStringClaim("azp") : client);
        if (agent.isEmpty()) {
            return new Verdict.Bad("no agent is configured for the token's subject and client");
        }
        Set<String> scopes = scopes(claims);
        Set<Permission> unscoped = EnumSet.noneOf(Permission.class);
        for (Permission permission : Permission.values()) {
            if (!scopes.contains(name(permission))) {
                unscoped.add(permission);
            }
        }
        Caller caller = agent.get();
        Set<Permission> denied = new HashSet<>(caller.denied());
        denied.addAll(unscoped);
        return new Verdict.Good(
                new Caller(caller.agent(), caller.name(), caller.user(), Set.copyOf(denied)), Set.copyOf(unscoped));
    }

    /** A token for the whole is good for its parts. */
    private Set<String> audiences(Scope endpoint) {
        return switch (endpoint) {
            case Scope.All() -> Set.of(settings.resource(), settings.resource() + "/", resource(endpoint));
            case Scope.One one ->
                Set.of(settings.resource(), settings.resource() + "/", resource(new Scope.All()), resource(endpoint));
        };
    }

    private static Set<String> scopes(JWTClaimsSet claims) throws ParseException {
        Object scope = claims.getClaim("scope");
        if (scope instanceof String text) {
            return Set.copyOf(new HashSet<>(Arrays.asList(text.split(" "))));
        }
        @Nullable List<String> several = claims.getStringListClaim(scope == null ? "scp" : "scope");
        return several == null ? Set.of() : Set.copyOf(several);
    }

    private String name(Permission permission) {
        return settings.scopes().getOrDefault(permission, permission.label());
    }

    @Override
    public String scopes(Set<Permission> permissions) {
        return permissions.stream().sorted().map(this::name).collect(Collectors.joining(" "));
    }

    @Override
    public String metadataUrl(Scope endpoint) {
        return settings.resource() + WELL_KNOWN + path(endpoint);
    }

    @Override
    public byte[] metadata(Scope endpoint) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("resource", resource(endpoint));
        metadata.put("authorization_servers", List.of(settings.issuer()));
        Set<String> scopes = new TreeSet<>();
        for (Permission permission : Permission.values()) {
            scopes.add(name(permission));
        }
        metadata.put("scopes_supported", scopes);
        metadata.put("bearer_methods_supported", List.of("header"));
        metadata.put("resource_name", "Postern");
        return JsonWriter.write(metadata);
    }

    private String resource(Scope endpoint) {
        return settings.resource() + path(endpoint);
    }

    private static String path(Scope endpoint) {
        return switch (endpoint) {
            case Scope.All() -> "/mcp";
            case Scope.One(String server) -> "/mcp/" + URLEncoder.encode(server, StandardCharsets.UTF_8);
        };
    }
}
