package dev.postern.mcp.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An authorization server that publishes its metadata and keys over HTTP, and issues whatever token a test wants. */
@SuppressWarnings("JavaUtilDate") // what the library takes
final class Issuer implements AutoCloseable {
    private final HttpServer server;
    private final List<JWK> published = new CopyOnWriteArrayList<>();
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile boolean down;

    Issuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/realm";
    }

    /** How often its keys were asked for. */
    int fetches() {
        return fetches.get();
    }

    /** Answers nothing but errors from now on, or answers again. */
    void down(boolean now) {
        down = now;
    }

    /** Its tokens are signed with this key, among others. */
    void publish(JWK key) {
        published.add(key);
    }

    void retire(JWK key) {
        published.remove(key);
    }

    /** What a good token says; a test changes one thing. */
    JWTClaimsSet.Builder claims(String resource) {
        return new JWTClaimsSet.Builder()
                .issuer(url())
                .audience(resource)
                .subject("alice")
                .claim("client_id", "editor")
                .claim("scope", "tool.call secret.use")
                .issueTime(new Date())
                .expirationTime(Date.from(Instant.now().plusSeconds(300)));
    }

    static String signed(JWTClaimsSet claims, JWK key) throws JOSEException {
        return signed(claims, key, "at+jwt");
    }

    static String signed(JWTClaimsSet claims, JWK key, String type) throws JOSEException {
        JWSAlgorithm algorithm = key instanceof RSAKey ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
        JWSSigner signer = key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey());
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(algorithm)
                        .keyID(key.getKeyID())
                        .type(new JOSEObjectType(type))
                        .build(),
                claims);
        token.sign(signer);
        return token.serialize();
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = null;
        if (!down && path.equals("/.well-known/openid-configuration/realm")) {
            body = "{\"issuer\":\"" + url() + "\",\"jwks_uri\":\"" + url() + "/keys\"}";
        } else if (!down && path.equals("/realm/keys")) {
            fetches.incrementAndGet();
            body = new com.nimbusds.jose.jwk.JWKSet(published).toString(true);
        }
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().putAll(Map.of("Content-Type", List.of("application/json")));
        exchange.sendResponseHeaders(body == null ? (down ? 503 : 404) : 200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
