package dev.postern.web.openid;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.web.openid.OpenIdSettings.ClientAuthentication;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The configured provider: where browsers are sent, and who they came back as. Thread-safe. */
public final class OpenIdProvider implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration METADATA_KEPT = Duration.ofMinutes(10);
    private static final int MAX_BYTES = 256 << 10;

    private final OpenIdSettings settings;
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private @Nullable Known known;

    public OpenIdProvider(OpenIdSettings settings) {
        this.settings = settings;
    }

    private record Known(ProviderMetadata metadata, IdTokens tokens, long sinceNanos) {}

    /** What a browser takes along: to be told again, and only to this provider. */
    public record Attempt(String state, String nonce, String verifier, String challenge, String redirect) {
        @Override
        public String toString() {
            return "Attempt[hidden]";
        }
    }

    /** Where to send a browser. */
    public String authorizationAddress(Attempt attempt) throws OpenIdException {
        return authorizationAddress(attempt, Map.of());
    }

    /** Where to send a browser, for the person to sign in there again, whatever they did there before. */
    public String authorizationAddressAnew(Attempt attempt) throws OpenIdException {
        return authorizationAddress(attempt, Map.of("prompt", "login", "max_age", "0"));
    }

    private String authorizationAddress(Attempt attempt, Map<String, String> more) throws OpenIdException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("response_type", "code");
        parameters.put("client_id", settings.clientId());
        parameters.put("redirect_uri", attempt.redirect());
        parameters.put("scope", String.join(" ", settings.scopes()));
        parameters.put("state", attempt.state());
        parameters.put("nonce", attempt.nonce());
        parameters.put("code_challenge", attempt.challenge());
        parameters.put("code_challenge_method", "S256");
        parameters.putAll(more);
        URI endpoint = known().metadata().authorizationEndpoint();
        return endpoint + (endpoint.getRawQuery() == null ? "?" : "&") + form(parameters);
    }

    /**
     * Who signed in: spends the code that a browser brought back. What the ID token lacks of the claims that the settings name
     * is asked for at the provider's UserInfo endpoint (OpenID Connect Core 1.0, sections 5.3 and 5.4).
     *
     * @param issuer what the answer called its issuer (RFC 9207); null where it named none
     */
    public JWTClaimsSet exchange(Attempt attempt, String code, @Nullable String issuer) throws OpenIdException {
        Known now = known();
        if (issuer == null ? now.metadata().namesItself() : !issuer.equals(settings.issuer())) {
            throw OpenIdException.refused("the answer is of another issuer");
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("code", code);
        parameters.put("redirect_uri", attempt.redirect());
        parameters.put("client_id", settings.clientId());
        parameters.put("code_verifier", attempt.verifier());
        byte[] answer = token(now.metadata(), parameters);
        try {
            JsonValue tokens = JsonValue.parse(answer);
            String token = tokens.string("id_token");
            if (token == null) {
                throw OpenIdException.refused("the provider gave no ID token");
            }
            JWTClaimsSet claims = now.tokens().verified(token, attempt.nonce());
            return completed(claims, now.metadata().userInfo(), tokens.string("access_token"));
        } catch (JsonException e) {
            throw OpenIdException.refused("the provider's answer is not JSON");
        } finally {
            Arrays.fill(answer, (byte) 0);
        }
    }

    private JWTClaimsSet completed(JWTClaimsSet claims, @Nullable URI userInfo, @Nullable String accessToken)
            throws OpenIdException {
        if (userInfo == null
                || accessToken == null
                || claims.getClaims().keySet().containsAll(settings.claims())) {
            return claims;
        }
        HttpRequest request = HttpRequest.newBuilder(userInfo)
                .timeout(PATIENCE)
                .header("Accept", "application/json")
                .header("Authorization", "Bearer " + accessToken)
                .build();
        byte[] answer = send(request, "the provider did not tell of the account");
        try {
            JWTClaimsSet told = JWTClaimsSet.parse(new String(answer, StandardCharsets.UTF_8));
            if (!Objects.equals(claims.getSubject(), told.getSubject())) {
                throw OpenIdException.refused("the provider told of another account");
            }
            JWTClaimsSet.Builder both = new JWTClaimsSet.Builder(claims);
            // An address, and whether it is verified, are of one source.
            boolean addressIsWhole = claims.getClaim(OpenIdSettings.EMAIL) != null
                    && claims.getClaim(OpenIdSettings.EMAIL_VERIFIED) != null;
            for (String claim : settings.claims()) {
                boolean isAddress = claim.equals(OpenIdSettings.EMAIL) || claim.equals(OpenIdSettings.EMAIL_VERIFIED);
                if (isAddress ? !addressIsWhole : claims.getClaim(claim) == null) {
                    both.claim(claim, told.getClaim(claim));
                }
            }
            return both.build();
        } catch (ParseException e) {
            throw OpenIdException.refused("what the provider tells of the account is not plain JSON");
        }
    }

    private byte[] token(ProviderMetadata metadata, Map<String, String> parameters) throws OpenIdException {
        HttpRequest.Builder request = HttpRequest.newBuilder(metadata.tokenEndpoint())
                .timeout(PATIENCE)
                .header("Accept", "application/json")
                .header("Content-Type", "application/x-www-form-urlencoded");
        if (settings.clientSecret() != null) {
            try (SecretValue secret = settings.clientSecret().get()) {
                // An HTTP client knows headers and forms as text only.
                byte[] bytes = secret.reveal(Reveal.TO_DELIVER);
                String text = new String(bytes, StandardCharsets.UTF_8);
                Arrays.fill(bytes, (byte) 0);
                if (isPosted(metadata)) {
                    parameters.put("client_secret", text);
                } else {
                    String pair = encoded(settings.clientId()) + ":" + encoded(text);
                    request.header(
                            "Authorization",
                            "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
                }
            } catch (RuntimeException e) {
                throw OpenIdException.unreachable("the client secret cannot be opened; the log says why");
            }
        }
        return send(request.POST(BodyPublishers.ofString(form(parameters))).build(), "the code was not taken");
    }

    private boolean isPosted(ProviderMetadata metadata) {
        ClientAuthentication configured = settings.clientAuthentication();
        return configured == null ? metadata.takesPostedSecret() : configured == ClientAuthentication.POST;
    }

    private synchronized Known known() throws OpenIdException {
        Known current = known;
        if (current != null && System.nanoTime() - current.sinceNanos() < METADATA_KEPT.toNanos()) {
            return current;
        }
        URI place = URI.create(settings.issuer().replaceAll("/$", "") + "/.well-known/openid-configuration");
        HttpRequest request =
                HttpRequest.newBuilder(place).timeout(PATIENCE).GET().build();
        ProviderMetadata metadata =
                ProviderMetadata.parse(settings.issuer(), send(request, "the provider's metadata was not given"));
        try {
            Known fresh = new Known(
                    metadata, new IdTokens(settings.issuer(), settings.clientId(), metadata.keys()), System.nanoTime());
            known = fresh;
            return fresh;
        } catch (MalformedURLException e) {
            throw OpenIdException.refused("the provider's keys have no address");
        }
    }

    private byte[] send(HttpRequest request, String otherwise) throws OpenIdException {
        try {
            HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                byte[] bytes = body.readNBytes(MAX_BYTES + 1);
                if (answer.statusCode() != 200 || bytes.length > MAX_BYTES) {
                    throw answer.statusCode() >= 500
                            ? OpenIdException.unreachable(otherwise)
                            : OpenIdException.refused(otherwise);
                }
                return bytes;
            }
        } catch (IOException e) {
            throw OpenIdException.unreachable("the provider cannot be reached");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw OpenIdException.unreachable("the gateway is stopping");
        }
    }

    private static String form(Map<String, String> parameters) {
        StringBuilder form = new StringBuilder();
        parameters.forEach((name, value) ->
                form.append(form.isEmpty() ? "" : "&").append(name).append('=').append(encoded(value)));
        return form.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
