package dev.postern.mcp.oauth;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.ResourceRetriever;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The issuer's public keys: fetched when they are first needed, kept for five minutes, and fetched once more where a token names a
 * key that is not among them, which is how keys are rotated; at most every few seconds, whatever tokens say. Thread-safe.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
    private static final int CONNECT_MILLIS = 3_000;
    private static final int READ_MILLIS = 5_000;
    private static final int MAX_BYTES = 256 << 10;
    private static final Duration KEPT = Duration.ofMinutes(5);
    private static final Duration REFRESH_PATIENCE = Duration.ofSeconds(15);
    private static final Duration BETWEEN_FETCHES = Duration.ofSeconds(5);

    private final ResourceServerSettings settings;
    private final ResourceRetriever retriever;
    private @Nullable JWKSource<SecurityContext> source;

    IssuerKeys(ResourceServerSettings settings) {
        this.settings = settings;
        DefaultResourceRetriever http = new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, MAX_BYTES);
        http.setDisconnectsAfterUse(true);
        this.retriever = http;
    }

    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws KeySourceException {
        return source().get(selector, context);
    }

    private synchronized JWKSource<SecurityContext> source() throws KeySourceException {
        JWKSource<SecurityContext> known = source;
        if (known == null) {
            known = JWKSourceBuilder.<SecurityContext>create(keys(), retriever)
                    .cache(KEPT.toMillis(), REFRESH_PATIENCE.toMillis())
                    .rateLimited(BETWEEN_FETCHES.toMillis())
                    .build();
            source = known;
        }
        return known;
    }

    private URL keys() throws KeySourceException {
        try {
            URI configured = settings.keys();
            return configured == null ? discovered() : configured.toURL();
        } catch (IOException | IllegalArgumentException e) {
            throw new RemoteKeySourceException("the issuer's keys cannot be found", e);
        }
    }

    /** RFC 8414, then OpenID Connect Discovery, each where it puts a path of the issuer's. */
    private URL discovered() throws IOException {
        URI issuer = URI.create(settings.issuer());
        String path = issuer.getRawPath() == null ? "" : issuer.getRawPath().replaceAll("/$", "");
        String origin = issuer.getScheme() + "://" + issuer.getRawAuthority();
        for (String place : List.of(
                origin + "/.well-known/oauth-authorization-server" + path,
                origin + "/.well-known/openid-configuration" + path,
                origin + path + "/.well-known/openid-configuration")) {
            URL found = keysNamedAt(URI.create(place));
            if (found != null) {
                return found;
            }
        }
        throw new IOException("no metadata");
    }

    private @Nullable URL keysNamedAt(URI place) {
        try {
            String content = retriever.retrieveResource(place.toURL()).getContent();
            JsonValue metadata = JsonValue.parse(content.getBytes(StandardCharsets.UTF_8));
            String keys = metadata.string("jwks_uri");
            return keys != null && settings.issuer().equals(metadata.string("issuer"))
                    ? URI.create(keys).toURL()
                    : null;
        } catch (IOException | JsonException | IllegalArgumentException elsewhere) {
            return null;
        }
    }
}
