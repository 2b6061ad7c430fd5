package dev.postern.web.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.ParseException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks ID tokens of one issuer for one client (OpenID Connect Core 1.0, section 3.1.3.7). Thread-safe. */
final class IdTokens {
    private static final int MAX_CHARACTERS = 64 << 10;
    private static final int MOST_SKEW_SECONDS = 60;
    private static final int CONNECT_MILLIS = 3_000;
    private static final int READ_MILLIS = 5_000;
    private static final int MAX_KEY_BYTES = 256 << 10;
    private static final Duration KEPT = Duration.ofMinutes(5);
    private static final Duration REFRESH_PATIENCE = Duration.ofSeconds(15);

    private final String clientId;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    IdTokens(String issuer, String clientId, URI keys) throws MalformedURLException {
        this.clientId = clientId;
        DefaultResourceRetriever http = new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, MAX_KEY_BYTES);
        http.setDisconnectsAfterUse(true);
        JWKSource<SecurityContext> source = JWKSourceBuilder.<SecurityContext>create(keys.toURL(), http)
                .cache(KEPT.toMillis(), REFRESH_PATIENCE.toMillis())
                .rateLimited(false)
                .build();
        Set<JWSAlgorithm> algorithms =
                OpenIdSettings.ALGORITHMS.stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, source));
        DefaultJWTClaimsVerifier<SecurityContext> claims = new DefaultJWTClaimsVerifier<>(
                clientId, new JWTClaimsSet.Builder().issuer(issuer).build(), Set.of("sub", "exp", "iat", "nonce"));
        claims.setMaxClockSkew(MOST_SKEW_SECONDS);
        processor.setJWTClaimsSetVerifier(claims);
    }

    /** The claims of a token that is the issuer's, for us, in time, and for whoever began with this nonce. */
    JWTClaimsSet verified(String token, String nonce) throws OpenIdException {
        if (token.length() > MAX_CHARACTERS) {
            throw OpenIdException.refused("the ID token is too long");
        }
        try {
            JWTClaimsSet claims = processor.process(token, null);
            if (claims.getAudience().size() > 1 && !clientId.equals(claims.getStringClaim("azp"))) {
                throw OpenIdException.refused("the ID token is for several clients, and was given to another");
            }
            if (!same(nonce, claims.getStringClaim("nonce"))) {
                throw OpenIdException.refused("the ID token is for another sign-in");
            }
            return claims;
        } catch (KeySourceException e) {
            throw OpenIdException.unreachable("the provider's keys cannot be fetched");
        } catch (ParseException | BadJOSEException | JOSEException | RuntimeException e) {
            throw OpenIdException.refused(
                    "the ID token is malformed, expired, of another issuer, for another client or not signed by the issuer's keys");
        }
    }

    private static boolean same(String expected, String found) {
        return found != null
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), found.getBytes(StandardCharsets.UTF_8));
    }
}
