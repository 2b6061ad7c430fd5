package dev.postern.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server that takes only tokens of its authorization server, and that server: discovery, registration, code with PKCE,
 * refresh tokens that are good once. Written without any of the product's OAuth code.
 */
public final class ProtectedServer implements AutoCloseable {
    private final HttpServer http;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, String> tokens = new ConcurrentHashMap<>();
    private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final List<String> presented = new CopyOnWriteArrayList<>();
    public volatile String needed = "read";
    public volatile String pkce = "[\"S256\"]";
    public volatile @Nullable String issuerInRedirect;
    public volatile boolean announcesIssuer = true;
    public volatile @Nullable String resource;
    public volatile @Nullable String issuerInMetadata;
    public volatile long expiresIn = 3600;
    /** Run once, after the next renewal was granted and before its answer is sent. */
    public volatile @Nullable Runnable whileRenewing;

    public ProtectedServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/", this::serve);
        http.start();
        issuerInRedirect = issuer();
    }

    public String origin() {
        return "http://localhost:" + http.getAddress().getPort();
    }

    public String issuer() {
        return origin() + "/as";
    }

    public URI endpoint() {
        return URI.create(origin() + "/mcp");
    }

    /** The {@code Authorization} headers of requests to the MCP server that had one. */
    public List<String> presented() {
        return presented;
    }

    /** No token that was issued so far is good any more; refresh tokens are. */
    public void expireAll() {
        tokens.clear();
    }

    /** No refresh token is good any more. */
    public void forgetRefreshTokens() {
        refreshTokens.clear();
    }

    private void serve(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        switch (exchange.getRequestURI().getPath()) {
            case "/.well-known/oauth-protected-resource/mcp" ->
                json(
                        exchange,
                        200,
                        "{\"resource\":\"" + (resource == null ? endpoint() : resource)
                                + "\",\"authorization_servers\":[\"" + issuer() + "\"]}");
            case "/.well-known/openid-configuration/as" -> json(exchange, 200, metadata());
            case "/as/register" ->
                json(exchange, 201, "{\"client_id\":\"client-1\",\"client_secret\":\"very-secret\"}");
            case "/as/authorize" -> authorize(exchange);
            case "/as/revoke" -> revoke(exchange, form(new String(body, StandardCharsets.UTF_8)));
            case "/as/token" -> token(exchange, form(new String(body, StandardCharsets.UTF_8)));
            case "/mcp" -> mcp(exchange, body);
            default -> json(exchange, 404, "{}");
        }
    }

    private String metadataPlace() {
        return origin() + "/.well-known/oauth-protected-resource/mcp";
    }

    private String metadata() {
        return "{\"issuer\":\"" + (issuerInMetadata == null ? issuer() : issuerInMetadata)
                + "\",\"authorization_endpoint\":\"" + issuer()
                + "/authorize\",\"token_endpoint\":\"" + issuer() + "/token\",\"registration_endpoint\":\"" + issuer()
                + "/register\",\"revocation_endpoint\":\"" + issuer()
                + "/revoke\",\"code_challenge_methods_supported\":" + pkce
                + ",\"token_endpoint_auth_methods_supported\":[\"client_secret_basic\"]"
                + ",\"scopes_supported\":[\"read\",\"write\",\"offline_access\"]"
                + ",\"authorization_response_iss_parameter_supported\":" + announcesIssuer + "}";
    }

    /** A person who says yes at once. */
    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(exchange.getRequestURI().getRawQuery());
        if (!Set.of("code").contains(asked.get("response_type"))
                || !"S256".equals(asked.get("code_challenge_method"))
                || !endpoint().toString().equals(asked.get("resource"))) {
            json(exchange, 400, "{}");
            return;
        }
        String code = "code-" + numbers.incrementAndGet();
        codes.put(code, asked);
        String issuer = issuerInRedirect;
        exchange.getResponseHeaders()
                .set(
                        "Location",
                        asked.get("redirect_uri") + "?code=" + code + "&state=" + asked.get("state")
                                + (issuer == null ? "" : "&iss=" + issuer));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange, Map<String, String> form) throws IOException {
        String basic = Base64.getEncoder().encodeToString("client-1:very-secret".getBytes(StandardCharsets.UTF_8));
        if (!("Basic " + basic).equals(exchange.getRequestHeaders().getFirst("Authorization"))
                || !endpoint().toString().equals(form.get("resource"))) {
            json(exchange, 401, "{\"error\":\"invalid_client\"}");
            return;
        }
        String scope = null;
        if ("authorization_code".equals(form.get("grant_type"))) {
            Map<String, String> asked = codes.remove(String.valueOf(form.get("code")));
            if (asked != null
                    && sha256(String.valueOf(form.get("code_verifier"))).equals(asked.get("code_challenge"))
                    && String.valueOf(asked.get("redirect_uri")).equals(form.get("redirect_uri"))) {
                scope = asked.getOrDefault("scope", "");
            }
        } else if ("refresh_token".equals(form.get("grant_type"))) {
            scope = refreshTokens.remove(String.valueOf(form.get("refresh_token")));
        }
        if (scope == null) {
            json(exchange, 400, "{\"error\":\"invalid_grant\"}");
            return;
        }
        int number = numbers.incrementAndGet();
        tokens.put("access-token-" + number, scope);
        refreshTokens.put("refresh-token-" + number, scope);
        Runnable meanwhile = "refresh_token".equals(form.get("grant_type")) ? whileRenewing : null;
        if (meanwhile != null) {
            whileRenewing = null;
            meanwhile.run();
        }
        json(
                exchange,
                200,
                "{\"access_token\":\"access-token-" + number + "\",\"token_type\":\"Bearer\",\"expires_in\":"
                        + expiresIn + ",\"refresh_token\":\"refresh-token-" + number + "\",\"scope\":\"" + scope
                        + "\"}");
    }

    private void revoke(HttpExchange exchange, Map<String, String> form) throws IOException {
        if (refreshTokens.remove(String.valueOf(form.get("token"))) != null) {
            tokens.clear();
        }
        json(exchange, 200, "{}");
    }

    /** How many tokens are good. */
    public int good() {
        return tokens.size() + refreshTokens.size();
    }

    private void mcp(HttpExchange exchange, byte[] body) throws IOException {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        if (header != null) {
            presented.add(header);
        }
        String scope = header == null ? null : tokens.get(header.replace("Bearer ", ""));
        if (scope == null) {
            exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"no, bearer that\"");
            challenge(exchange, 401, "Bearer resource_metadata=\"" + metadataPlace() + "\", scope=\"read\"");
            return;
        }
        Map<String, String> message = Members.of(new String(body, StandardCharsets.UTF_8));
        String id = message.getOrDefault("id", "0");
        switch (Members.unquote(message.getOrDefault("method", "\"\""))) {
            case "initialize" ->
                json(
                        exchange,
                        200,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + id
                                + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"p\",\"version\":\"1\"}}}");
            case "tools/call" -> {
                if (!List.of(scope.split(" ")).contains(needed)) {
                    challenge(exchange, 403, "Bearer error=\"insufficient_scope\", scope=\"" + needed + "\"");
                } else {
                    json(
                            exchange,
                            200,
                            "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[{\"type\":\"text\","
                                    + "\"text\":\"you came with " + header + "\"}]}}");
                }
            }
            default -> {
                exchange.sendResponseHeaders(!message.containsKey("id") ? 202 : 404, -1);
                exchange.close();
            }
        }
    }

    private static void challenge(HttpExchange exchange, int status, String challenge) throws IOException {
        exchange.getResponseHeaders().add("WWW-Authenticate", challenge);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private static void json(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static Map<String, String> form(String encoded) {
        Map<String, String> form = new LinkedHashMap<>();
        for (String pair : encoded.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            form.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return form;
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
