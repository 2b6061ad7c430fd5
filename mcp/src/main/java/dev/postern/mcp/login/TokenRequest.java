package dev.postern.mcp.login;

import dev.postern.json.JsonValue;
import dev.postern.mcp.login.Login.Terms;
import dev.postern.mcp.login.Login.Wiped;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One request to a token or revocation endpoint: a form in which values stay bytes. Used once. */
final class TokenRequest {
    private final Wiped form = new Wiped();

    /** Adds a field that is no secret. */
    TokenRequest with(String name, String value) {
        return with(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a field that is one. */
    TokenRequest with(String name, SecretValue value) {
        byte[] bytes = value.reveal(Reveal.TO_DELIVER);
        with(name, bytes);
        Arrays.fill(bytes, (byte) 0);
        return this;
    }

    private TokenRequest with(String name, byte[] value) {
        if (form.size() > 0) {
            form.write('&');
        }
        form.writeBytes((name + "=").getBytes(StandardCharsets.US_ASCII));
        for (byte b : value) {
            if ((b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || "-._~".indexOf(b) >= 0) {
                form.write(b);
            } else {
                form.write('%');
                form.write(Character.toUpperCase(Character.forDigit((b >> 4) & 15, 16)));
                form.write(Character.toUpperCase(Character.forDigit(b & 15, 16)));
            }
        }
        return this;
    }

    /**
     * Sends it.
     *
     * @param terms of the client; what is granted replaces the scope and the time
     * @param clientSecret taken over by the login that comes of it; null for a client without one
     * @param refreshToken kept where the answer has none; null if there is none
     * @throws LoginException if no token came of it
     */
    Login send(
            Web web,
            Terms terms,
            @Nullable SecretValue clientSecret,
            @Nullable SecretValue refreshToken,
            InstantSource clock) {
        Web.Answer answer = post(web, URI.create(terms.tokenEndpoint()), terms, clientSecret);
        try {
            JsonValue json = answer.json();
            if (answer.status() != 200 || json == null) {
                throw new LoginException("the authorization server gave no token (HTTP " + answer.status() + ")");
            }
            SecretValue access = Login.value(json, "access_token");
            String type = json.string("token_type");
            if (access == null || type == null || !type.equalsIgnoreCase("bearer")) {
                throw new LoginException("the authorization server gave no bearer token");
            }
            SecretValue refresh = Login.value(json, "refresh_token");
            String scope = json.string("scope");
            return new Login(
                    terms.granted(scope == null ? terms.scope() : scope, expiry(json.member("expires_in"), clock)),
                    clientSecret == null ? null : clientSecret.copy(),
                    access,
                    refresh != null || refreshToken == null ? refresh : refreshToken.copy());
        } finally {
            Arrays.fill(answer.body(), (byte) 0);
        }
    }

    /** Gives a token back (RFC 7009). */
    void revoke(Web web, Terms terms, @Nullable SecretValue clientSecret) {
        Web.Answer answer = post(web, URI.create(terms.revocationEndpoint()), terms, clientSecret);
        if (answer.status() != 200) {
            throw new LoginException(
                    "the authorization server did not take the token back (HTTP " + answer.status() + ")");
        }
    }

    private Web.Answer post(Web web, URI place, Terms terms, @Nullable SecretValue clientSecret) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/x-www-form-urlencoded");
        headers.put("Accept", "application/json");
        if (clientSecret != null && terms.authentication().equals("client_secret_basic")) {
            headers.put("Authorization", basic(terms.clientId(), clientSecret));
        } else {
            with("client_id", terms.clientId());
            if (clientSecret != null) {
                with("client_secret", clientSecret);
            }
        }
        byte[] body;
        try (SecretValue taken = form.take()) {
            body = taken.reveal(Reveal.TO_DELIVER);
        }
        try {
            return web.post(place, headers, body);
        } finally {
            Arrays.fill(body, (byte) 0);
        }
    }

    private static long expiry(@Nullable JsonValue seconds, InstantSource clock) {
        try {
            return seconds == null
                    ? 0
                    : clock.instant().getEpochSecond() + (long) Double.parseDouble(seconds.spelling());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The HTTP client takes headers as text only. */
    private static String basic(String clientId, SecretValue secret) {
        byte[] bytes = secret.reveal(Reveal.TO_DELIVER);
        String encoded = URLEncoder.encode(clientId, StandardCharsets.UTF_8) + ":"
                + URLEncoder.encode(new String(bytes, StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        Arrays.fill(bytes, (byte) 0);
        return "Basic " + Base64.getEncoder().encodeToString(encoded.getBytes(StandardCharsets.UTF_8));
    }
}
