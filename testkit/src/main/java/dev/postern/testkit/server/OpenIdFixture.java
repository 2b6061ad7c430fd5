package dev.postern.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An OpenID Connect provider on this machine that takes everybody for who the test says: discovery, authorization code with
 * PKCE, codes that work once, client secret, RS256. What it says can be bent, as an attacker or a broken provider would.
 */
public final class OpenIdFixture implements AutoCloseable {
    public static final String CLIENT = "postern-tests";
    public static final String SECRET = "cl13nt-s3cret:of%the tests";

    /** How ID tokens are signed. */
    public enum Signing {
        RIGHT,
        NONE,
        OTHER_KEY,
        PUBLIC_KEY_AS_SECRET
    }

    private final HttpServer server;
    private final KeyPair key = newKey();
    private final KeyPair other = newKey();
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private volatile Map<String, Object> user = Map.of("sub", "1");
    private volatile Consumer<Map<String, Object>> bending = claims -> {};
    private volatile Map<String, Object> told = Map.of();
    private volatile Signing signing = Signing.RIGHT;
    private volatile boolean namesItself;
    private volatile String claimedIssuer;

    public OpenIdFixture() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        claimedIssuer = issuer();
        server.createContext("/.well-known/openid-configuration", exchange -> json(exchange, 200, metadata()));
        server.createContext("/authorize", this::authorize);
        server.createContext("/token", this::token);
        server.createContext("/userinfo", exchange -> json(exchange, 200, json(userInfo())));
        server.createContext("/keys", exchange -> json(exchange, 200, keys()));
        server.start();
    }

    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Whoever is signed in there, as claims. */
    public void signsIn(Map<String, Object> claims) {
        user = Map.copyOf(claims);
    }

    /** What its UserInfo endpoint says besides the subject, or in its place. */
    public void tells(Map<String, Object> claims) {
        told = Map.copyOf(claims);
    }

    private Map<String, Object> userInfo() {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("sub", Objects.requireNonNull(user.get("sub")));
        claims.putAll(told);
        return claims;
    }

    /** Changes the claims of ID tokens before they are signed. */
    public void bends(Consumer<Map<String, Object>> claims) {
        bending = claims;
    }

    public void signs(Signing how) {
        signing = how;
    }

    /** Whether it says {@code iss} in its answers to browsers, and which. */
    public void namesItself(String issuer) {
        namesItself = true;
        claimedIssuer = issuer;
    }

    /** A code as it would be given for these parameters of an authorization request. */
    public String code(Map<String, String> request) {
        String code = UUID.randomUUID().toString();
        codes.put(code, request);
        return code;
    }

    private String metadata() {
        return "{\"issuer\":\"%1$s\",\"authorization_endpoint\":\"%1$s/authorize\",\"token_endpoint\":\"%1$s/token\",\"jwks_uri\":\"%1$s/keys\",\"userinfo_endpoint\":\"%1$s/userinfo\",\"response_types_supported\":[\"code\"],\"subject_types_supported\":[\"public\"],\"id_token_signing_alg_values_supported\":[\"RS256\"],\"authorization_response_iss_parameter_supported\":%2$s}"
                .formatted(issuer(), namesItself);
    }

    private String keys() {
        RSAPublicKey rsa = (RSAPublicKey) key.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"one\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                .formatted(
                        text(unsigned(rsa.getModulus().toByteArray())),
                        text(unsigned(rsa.getPublicExponent().toByteArray())));
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
        String redirect = Objects.requireNonNull(query.get("redirect_uri"));
        String place = redirect + "?code=" + code(query) + "&state="
                + URLEncoder.encode(query.getOrDefault("state", ""), StandardCharsets.UTF_8)
                + (namesItself ? "&iss=" + URLEncoder.encode(claimedIssuer, StandardCharsets.UTF_8) : "");
        exchange.getResponseHeaders().set("Location", place);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> request = codes.remove(form.getOrDefault("code", ""));
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        boolean taken = request != null
                && basic().equals(authorization)
                && Objects.equals(request.get("redirect_uri"), form.get("redirect_uri"))
                && Objects.equals(request.get("client_id"), CLIENT)
                && "S256".equals(request.get("code_challenge_method"))
                && Objects.equals(request.get("code_challenge"), text(sha256(form.getOrDefault("code_verifier", ""))));
        if (request == null || !taken) {
            json(exchange, 400, "{\"error\":\"invalid_grant\"}");
            return;
        }
        json(
                exchange,
                200,
                "{\"access_token\":\"none-of-ours\",\"token_type\":\"Bearer\",\"expires_in\":60,\"id_token\":\""
                        + idToken(request.getOrDefault("nonce", "")) + "\"}");
    }

    private static String basic() {
        String pair = URLEncoder.encode(CLIENT, StandardCharsets.UTF_8) + ":"
                + URLEncoder.encode(SECRET, StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private String idToken(String nonce) {
        long now = Instant.now().getEpochSecond();
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", issuer());
        claims.put("aud", CLIENT);
        claims.put("iat", now);
        claims.put("exp", now + 300);
        claims.put("nonce", nonce);
        claims.putAll(user);
        bending.accept(claims);
        String algorithm = switch (signing) {
            case NONE -> "none";
            case PUBLIC_KEY_AS_SECRET -> "HS256";
            case RIGHT, OTHER_KEY -> "RS256";
        };
        String signed = text(("{\"alg\":\"" + algorithm + "\",\"kid\":\"one\"}").getBytes(StandardCharsets.UTF_8)) + "."
                + text(json(claims).getBytes(StandardCharsets.UTF_8));
        return signed + "." + signature(signed);
    }

    private String signature(String signed) {
        byte[] bytes = signed.getBytes(StandardCharsets.US_ASCII);
        try {
            return switch (signing) {
                case NONE -> "";
                case PUBLIC_KEY_AS_SECRET -> {
                    Mac mac = Mac.getInstance("HmacSHA256");
                    mac.init(new SecretKeySpec(key.getPublic().getEncoded(), "HmacSHA256"));
                    yield text(mac.doFinal(bytes));
                }
                case RIGHT, OTHER_KEY -> {
                    Signature signature = Signature.getInstance("SHA256withRSA");
                    signature.initSign((signing == Signing.RIGHT ? key : other).getPrivate());
                    signature.update(bytes);
                    yield text(signature.sign());
                }
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform signs with RSA", e);
        }
    }

    private static String json(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                StringBuilder text = new StringBuilder("{");
                map.forEach((name, member) -> text.append(text.length() > 1 ? "," : "")
                        .append('"')
                        .append(name)
                        .append("\":")
                        .append(json(member)));
                yield text.append('}').toString();
            }
            case Collection<?> list ->
                "[" + String.join(",", list.stream().map(OpenIdFixture::json).toList()) + "]";
            case Number number -> number.toString();
            case Boolean flag -> flag.toString();
            default -> "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        };
    }

    private static void json(HttpExchange exchange, int status, String document) throws IOException {
        byte[] body = document.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** The fields of a form or a query. */
    public static Map<String, String> form(String text) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String pair : List.of(text.split("&"))) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                fields.put(
                        pair.substring(0, equals),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return fields;
    }

    /** The fields of an address's query. */
    public static Map<String, String> query(String address) {
        return form(URI.create(address).getRawQuery());
    }

    private static KeyPair newKey() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has RSA", e);
        }
    }

    private static byte[] unsigned(byte[] number) {
        return number[0] == 0 ? java.util.Arrays.copyOfRange(number, 1, number.length) : number;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
