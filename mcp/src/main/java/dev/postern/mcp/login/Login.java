package dev.postern.mcp.login;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a login at a server left: tokens, and what it takes to renew them. Close it to wipe them. */
final class Login implements AutoCloseable {
    private static final String PLAIN = "login";
    private static final String ACCESS = "access_token";
    private static final String REFRESH = "refresh_token";
    private static final String CLIENT_SECRET = "client_secret";

    private final Terms terms;
    private final @Nullable SecretValue clientSecret;
    private final SecretValue accessToken;
    private final @Nullable SecretValue refreshToken;

    /**
     * What of it is no secret.
     *
     * @param resource what the tokens are for
     * @param revocationEndpoint where tokens are given back; empty where they cannot be
     * @param authentication how the client shows its secret: {@code none}, {@code client_secret_basic} or
     *     {@code client_secret_post}
     * @param scope what was granted, separated by spaces
     * @param expiresAt seconds since the epoch; 0 if nobody said
     */
    record Terms(
            String issuer,
            String resource,
            String tokenEndpoint,
            String revocationEndpoint,
            String clientId,
            String authentication,
            String scope,
            long expiresAt) {
        Terms granted(String newScope, long newExpiresAt) {
            return new Terms(
                    issuer,
                    resource,
                    tokenEndpoint,
                    revocationEndpoint,
                    clientId,
                    authentication,
                    newScope,
                    newExpiresAt);
        }
    }

    /** Takes the values over. */
    Login(
            Terms terms,
            @Nullable SecretValue clientSecret,
            SecretValue accessToken,
            @Nullable SecretValue refreshToken) {
        this.terms = terms;
        this.clientSecret = clientSecret;
        this.accessToken = accessToken;
        this.refreshToken = refreshToken;
    }

    Terms terms() {
        return terms;
    }

    @Nullable
    SecretValue clientSecret() {
        return clientSecret;
    }

    SecretValue accessToken() {
        return accessToken;
    }

    @Nullable
    SecretValue refreshToken() {
        return refreshToken;
    }

    /** As it is kept: JSON. */
    SecretValue sealed() {
        Map<String, Object> plain = new LinkedHashMap<>();
        plain.put("issuer", terms.issuer);
        plain.put("resource", terms.resource);
        plain.put("token_endpoint", terms.tokenEndpoint);
        plain.put("revocation_endpoint", terms.revocationEndpoint);
        plain.put("client_id", terms.clientId);
        plain.put("authentication", terms.authentication);
        plain.put("scope", terms.scope);
        plain.put("expires_at", terms.expiresAt);
        Wiped out = new Wiped();
        out.writeBytes(("{\"" + PLAIN + "\":").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(JsonWriter.write(plain));
        member(out, ACCESS, accessToken);
        member(out, REFRESH, refreshToken);
        member(out, CLIENT_SECRET, clientSecret);
        out.write('}');
        return out.take();
    }

    private static void member(Wiped out, String name, @Nullable SecretValue value) {
        if (value != null) {
            byte[] bytes = value.reveal(Reveal.TO_SEAL);
            byte[] escaped = JsonStrings.escape(bytes);
            out.writeBytes((",\"" + name + "\":\"").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(escaped);
            out.write('"');
            Arrays.fill(escaped, (byte) 0);
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Reads what {@link #sealed()} wrote. */
    static Login of(SecretValue sealed) {
        byte[] bytes = sealed.reveal(Reveal.TO_DELIVER);
        try {
            JsonValue root = JsonValue.parse(bytes);
            JsonValue plain = root.member(PLAIN);
            SecretValue access = value(root, ACCESS);
            if (plain == null || access == null) {
                throw new LoginException("what is kept of the login cannot be read: sign in again");
            }
            JsonValue expires = plain.member("expires_at");
            return new Login(
                    new Terms(
                            text(plain, "issuer"),
                            text(plain, "resource"),
                            text(plain, "token_endpoint"),
                            text(plain, "revocation_endpoint"),
                            text(plain, "client_id"),
                            text(plain, "authentication"),
                            text(plain, "scope"),
                            expires == null ? 0 : Long.parseLong(expires.spelling())),
                    value(root, CLIENT_SECRET),
                    access,
                    value(root, REFRESH));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static String text(JsonValue plain, String name) {
        String text = plain.string(name);
        return text == null ? "" : text;
    }

    /** A string member as a value; null if it has none. */
    static @Nullable SecretValue value(JsonValue root, String name) {
        JsonValue member = root.member(name);
        if (member == null || !member.is(JsonValue.Kind.STRING)) {
            return null;
        }
        byte[] bytes = JsonStrings.unescape(member);
        try {
            return new SecretValue(bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Override
    public void close() {
        accessToken.close();
        if (refreshToken != null) {
            refreshToken.close();
        }
        if (clientSecret != null) {
            clientSecret.close();
        }
    }

    @Override
    public String toString() {
        return "Login[hidden]";
    }

    /** A buffer that can be wiped; it starts large enough never to leave copies behind by growing. */
    static final class Wiped extends ByteArrayOutputStream {
        Wiped() {
            super(64 << 10);
        }

        SecretValue take() {
            byte[] bytes = toByteArray();
            try {
                return new SecretValue(bytes);
            } finally {
                Arrays.fill(bytes, (byte) 0);
                Arrays.fill(buf, (byte) 0);
            }
        }
    }
}
