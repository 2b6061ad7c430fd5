package dev.postern.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.postern.gate.agent.AgentStore.AgentSummary;
import dev.postern.gate.agent.Permission;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A1: an agent may come with an access token of the configured issuer instead of its key, and with no other token. */
@SuppressWarnings("JavaUtilDate") // what the library takes
class ResourceServerTest {
    private static final String RESOURCE = "http://postern.test";

    /** Making one takes long. */
    private static final RSAKey KEY = rsa();

    private final Issuer issuer;
    private final RSAKey key = KEY;
    private Gateway gateway;

    ResourceServerTest() throws Exception {
        issuer = new Issuer();
        issuer.publish(key);
        gateway = gateway(false);
    }

    private static RSAKey rsa() {
        try {
            return new RSAKeyGenerator(2048).keyID("one").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ECKey curve(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    @BeforeEach
    void addAgent() {
        gateway.addAgent("laptop");
    }

    @AfterEach
    void end() {
        gateway.close();
        issuer.close();
    }

    private Gateway gateway(boolean addsUnknown) throws Exception {
        ScriptedServer server = ScriptedServer.modern("{\"tools\":{}}")
                .on("tools/list", "\"result\":{\"resultType\":\"complete\",\"tools\":[{\"name\":\"t\"}]}")
                .on("tools/call", "\"result\":{\"resultType\":\"complete\",\"content\":[]}");
        ResourceServerSettings settings = new ResourceServerSettings(
                issuer.url(),
                null,
                RESOURCE,
                ResourceServerSettings.USUAL_ALGORITHMS,
                Map.of(),
                List.of(new ResourceServerSettings.AgentRule("alice", "editor", "laptop")),
                addsUnknown);
        return Gateway.over(Map.of("a", server, "b", server), agents -> new JwtResourceServer(settings, agents));
    }

    private HttpResponse<String> list(String token) throws Exception {
        return send(token, "/mcp/a", "tools/list", "");
    }

    private HttpResponse<String> send(String token, String path, String method, String members) throws Exception {
        try (ModernClient client = new ModernClient(gateway, path).as(token)) {
            return client.call(method, members);
        }
    }

    private static String challenge(HttpResponse<String> response) {
        return response.headers().firstValue("WWW-Authenticate").orElse("");
    }

    private JWTClaimsSet.Builder claims() {
        return issuer.claims(RESOURCE + "/mcp/a");
    }

    @Test
    void aGoodTokenStandsForItsAgent() throws Exception {
        String token = Issuer.signed(claims().build(), key);
        assertThat(list(token).statusCode()).isEqualTo(200);
        HttpResponse<String> called = send(token, "/mcp/a", "tools/call", ",\"name\":\"t\",\"arguments\":{}");
        assertThat(called.body()).contains("\"content\":[]");
        assertThat(gateway.ledger().getLast().agent()).isEqualTo("laptop");
        assertThat(issuer.fetches()).isEqualTo(1);
    }

    @Test
    void anAgentsKeyIsTakenBesides() throws Exception {
        assertThat(list(Gateway.KEY).statusCode()).isEqualTo(200);
        assertThat(issuer.fetches()).isZero();
    }

    /** Ways in which a token is no good. */
    enum Wrong {
        EXPIRED,
        WITHOUT_EXPIRY,
        NOT_YET_VALID,
        OTHER_ISSUER,
        OTHER_AUDIENCE,
        OTHER_SERVERS_AUDIENCE,
        WITHOUT_AUDIENCE,
        OTHER_SUBJECT,
        OTHER_CLIENT,
        OTHER_KEY,
        OTHER_KEY_OF_THAT_NAME,
        UNLISTED_ALGORITHM,
        SIGNED_WITH_THE_PUBLIC_KEY_AS_SECRET,
        UNSIGNED,
        ID_TOKEN_TYPE,
        BOUND_TO_A_PROOF,
        TAMPERED,
        NO_TOKEN;

        String token(Issuer issuer, RSAKey key) throws JOSEException {
            JWTClaimsSet.Builder claims = issuer.claims(RESOURCE + "/mcp/a");
            Date past = Date.from(Instant.now().minusSeconds(120));
            Date future = Date.from(Instant.now().plusSeconds(120));
            return switch (this) {
                case EXPIRED -> Issuer.signed(claims.expirationTime(past).build(), key);
                case WITHOUT_EXPIRY -> Issuer.signed(claims.expirationTime(null).build(), key);
                case NOT_YET_VALID -> Issuer.signed(claims.notBeforeTime(future).build(), key);
                case OTHER_ISSUER ->
                    Issuer.signed(claims.issuer("https://other.example").build(), key);
                case OTHER_AUDIENCE ->
                    Issuer.signed(claims.audience("https://other.example/mcp").build(), key);
                case OTHER_SERVERS_AUDIENCE ->
                    Issuer.signed(claims.audience(RESOURCE + "/mcp/b").build(), key);
                case WITHOUT_AUDIENCE ->
                    Issuer.signed(claims.audience((String) null).build(), key);
                case OTHER_SUBJECT -> Issuer.signed(claims.subject("mallory").build(), key);
                case OTHER_CLIENT ->
                    Issuer.signed(claims.claim("client_id", "other").build(), key);
                case OTHER_KEY -> Issuer.signed(claims.build(), curve("two"));
                case OTHER_KEY_OF_THAT_NAME -> Issuer.signed(claims.build(), curve(key.getKeyID()));
                case UNLISTED_ALGORITHM -> {
                    SignedJWT token = new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.RS512)
                                    .keyID(key.getKeyID())
                                    .build(),
                            claims.build());
                    token.sign(new com.nimbusds.jose.crypto.RSASSASigner(key));
                    yield token.serialize();
                }
                case SIGNED_WITH_THE_PUBLIC_KEY_AS_SECRET -> {
                    SignedJWT token = new SignedJWT(
                            new JWSHeader.Builder(JWSAlgorithm.HS256)
                                    .keyID(key.getKeyID())
                                    .build(),
                            claims.build());
                    token.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));
                    yield token.serialize();
                }
                case UNSIGNED -> new PlainJWT(claims.build()).serialize();
                case ID_TOKEN_TYPE -> Issuer.signed(claims.build(), key, "logout+jwt");
                case BOUND_TO_A_PROOF ->
                    Issuer.signed(claims.claim("cnf", Map.of("jkt", "x")).build(), key);
                case TAMPERED -> {
                    String good = Issuer.signed(claims.build(), key);
                    int at = good.indexOf('.') + 20;
                    yield good.substring(0, at) + (good.charAt(at) == 'A' ? 'B' : 'A') + good.substring(at + 1);
                }
                case NO_TOKEN -> "a.b.c";
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOtherTokenIsRefused(Wrong wrong) throws Exception {
        HttpResponse<String> response = list(wrong.token(issuer, key));
        // An unknown key is looked for once more before it is refused.
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenge(response))
                .contains("error=\"invalid_token\"")
                .contains("resource_metadata=\"" + RESOURCE + "/.well-known/oauth-protected-resource/mcp/a\"")
                .contains("scope=\"tool.call secret.use\"");
    }

    @Test
    void aRequestWithoutATokenIsToldWhereToGetOne() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(gateway.uri("/mcp"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> refused = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(challenge(refused))
                    .contains("resource_metadata=\"" + RESOURCE + "/.well-known/oauth-protected-resource/mcp\"")
                    .doesNotContain("error=");
            for (String path : List.of("", "/mcp", "/mcp/a")) {
                URI uri = gateway.uri("/.well-known/oauth-protected-resource" + path);
                String metadata = http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                        .body();
                assertThat(metadata)
                        .contains("\"resource\":\"" + RESOURCE + (path.isEmpty() ? "/mcp" : path) + "\"")
                        .contains("\"authorization_servers\":[\"" + issuer.url() + "\"]")
                        .contains("\"scopes_supported\":[\"secret.use\",\"tool.call\"]");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/mcp,/mcp/a,200", "'',/mcp,200", "/,/mcp/a,200", "/mcp/a,/mcp,401", "/mcp/a,/mcp/b,401"})
    void aTokenForTheWholeIsGoodForItsPartsAndNotTheOtherWayRound(String audience, String path, int status)
            throws Exception {
        String token = Issuer.signed(issuer.claims(RESOURCE + audience).build(), key);
        assertThat(send(token, path, "tools/list", "").statusCode()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|{}|tool.call",
                "tool.call|{\"a\":\"{{vault:x}}\"}|tool.call secret.use",
                "secret.use|{}|tool.call"
            })
    void aCallThatATokensScopesDoNotCoverIsToldWhichItNeeds(String scopes, String arguments, String needed)
            throws Exception {
        String token = Issuer.signed(claims().claim("scope", scopes).build(), key);
        assertThat(list(token).statusCode()).isEqualTo(200);
        HttpResponse<String> response =
                send(token, "/mcp/a", "tools/call", ",\"name\":\"t\",\"arguments\":" + arguments);
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(challenge(response)).contains("error=\"insufficient_scope\"", "scope=\"" + needed + "\"");
        assertThat(gateway.ledger()).isEmpty();
    }

    @Test
    @DisplayName("what the agent itself may not do, no scope gives it")
    void aScopeGivesNothingThatTheAgentDoesNotHave() throws Exception {
        gateway.agents().revoke("laptop");
        gateway.addAgent("laptop", Permission.TOOL_CALL);
        String token = Issuer.signed(claims().build(), key);
        HttpResponse<String> response = send(token, "/mcp/a", "tools/call", ",\"name\":\"t\",\"arguments\":{}");
        assertThat(response.body()).contains("dev.postern/refusal");
    }

    @Test
    void aSessionIsNotUsedWithATokenThatMayLess() throws Exception {
        String more = Issuer.signed(claims().build(), key);
        String less = Issuer.signed(claims().claim("scope", "tool.call").build(), key);
        try (LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/a"), more);
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/a"), less)) {
            agent.initialize("2025-11-25");
            other.session(agent.session());
            String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
            assertThat(agent.post(ping).statusCode()).isEqualTo(200);
            assertThat(other.post(ping).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aRotatedKeyIsFoundWithoutARestart() throws Exception {
        assertThat(list(Issuer.signed(claims().build(), key)).statusCode()).isEqualTo(200);
        JWK next = curve("next");
        issuer.publish(next);
        issuer.retire(key);
        assertThat(list(Issuer.signed(claims().build(), next)).statusCode()).isEqualTo(200);
        assertThat(list(Issuer.signed(claims().build(), key)).statusCode()).isNotEqualTo(200);
    }

    @Test
    void tokensWithUnknownKeysDoNotMakeUsAskForEachOfThem() throws Exception {
        assertThat(list(Issuer.signed(claims().build(), key)).statusCode()).isEqualTo(200);
        ECKey unknown = curve("x");
        for (int i = 0; i < 10; i++) {
            assertThat(list(Issuer.signed(claims().build(), unknown)).statusCode())
                    .isIn(401, 503);
        }
        assertThat(issuer.fetches()).isLessThanOrEqualTo(4);
        assertThat(list(Issuer.signed(claims().build(), key)).statusCode()).isEqualTo(200);
    }

    @Test
    void whileTheIssuerIsDownNothingIsTakenOnTrust() throws Exception {
        issuer.down(true);
        String token = Issuer.signed(claims().build(), key);
        assertThat(list(token).statusCode()).isEqualTo(503);
        issuer.down(false);
        assertThat(list(token).statusCode()).isIn(200, 503);
    }

    @Test
    void aSubjectThatNobodyListedBecomesAnAgentOfItsOwnWhereThatIsWanted() throws Exception {
        gateway.close();
        gateway = gateway(true);
        String token = Issuer.signed(claims().subject("bob@example.com").build(), key);
        assertThat(list(token).statusCode()).isEqualTo(200);
        assertThat(list(token).statusCode()).isEqualTo(200);
        List<AgentSummary> added = gateway.agents().list().stream()
                .filter(agent -> agent.name().startsWith("oauth-bob@example.com-"))
                .toList();
        assertThat(added).hasSize(1);
        gateway.agents().revoke(added.getFirst().name());
        assertThat(list(token).statusCode()).as("revoked by the operator").isEqualTo(401);
        assertThat(Set.copyOf(
                        gateway.agents().list().stream().map(AgentSummary::name).toList()))
                .hasSize(2);
    }
}
