package dev.postern.mcp.login;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.vault.ServerLogins;
import dev.postern.mcp.client.ConnectionLimits;
import dev.postern.mcp.client.Dialer;
import dev.postern.mcp.client.ServerSpec;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.relay.RelaySettings;
import dev.postern.mcp.server.McpSettings;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.server.ProtectedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Interfaces, "Authorization": the gateway signs in at remote servers, and its tokens stay its own. */
class LoginsTest {
    private final ProtectedServer server = new ProtectedServer();
    private final Kept kept = new Kept();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final Logins logins = new Logins(
            kept,
            URI.create("http://127.0.0.1:7437/oauth/callback"),
            (name, token, end) -> seen.add(text(token)),
            InstantSource.system());

    LoginsTest() throws Exception {}

    @AfterEach
    void end() {
        logins.close();
        server.close();
    }

    private static String text(SecretValue value) {
        return new String(value.reveal(Reveal.TO_SCRUB), StandardCharsets.UTF_8);
    }

    /** What a person's browser does: goes where it is sent, and is sent back. */
    private Map<String, String> browse(URI url) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<Void> response =
                    http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding());
            URI back = URI.create(response.headers().firstValue("Location").orElseThrow());
            Map<String, String> query = new LinkedHashMap<>();
            for (String pair : back.getRawQuery().split("&", -1)) {
                query.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
            return query;
        }
    }

    private void signIn() throws Exception {
        Logins.Started started = logins.begin("s", server.endpoint(), null);
        logins.complete("s", browse(started.url())::get);
        assertThat(started.done()).isCompleted();
    }

    private Gateway gateway(Dialer dialer) throws Exception {
        return Gateway.over(
                dialer,
                Map.of(
                        "s",
                        () -> new ServerSpec.Http(
                                server.endpoint(), Map.of(), logins.credential("s", server.endpoint()))),
                0,
                inner -> inner,
                RelaySettings.DEFAULTS,
                McpSettings.DEFAULTS,
                Duration.ofSeconds(30));
    }

    /** Calls a tool as an agent; the whole answer. */
    private String call() throws Exception {
        try (Dialer dialer = new Dialer(ConnectionLimits.standard());
                Gateway gateway = gateway(dialer);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            return String.join(
                    "\n",
                    LegacyAgent.messages(agent.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                            + "\"params\":{\"name\":\"s__t\",\"arguments\":{}}}")));
        }
    }

    @Test
    void withoutALoginTheAgentIsToldWhatTheOperatorCanDo() throws Exception {
        assertThat(call()).contains("postern server login s");
        assertThat(server.presented()).isEmpty();
    }

    @Test
    void afterALoginCallsComeWithTheServersOwnTokenAndNotTheAgents() throws Exception {
        signIn();
        assertThat(call()).contains("you came with Bearer access-token-");
        assertThat(server.presented()).isNotEmpty().allMatch(header -> header.startsWith("Bearer access-token-"));
        assertThat(seen)
                .as("told of before it was used")
                .contains(server.presented().getFirst().substring(7));
        assertThat(logins.status("s").orElseThrow().scope()).isEqualTo("read offline_access");
    }

    @Test
    void aTokenThatIsRefusedIsRenewedAndTheRequestSentOnceMore() throws Exception {
        signIn();
        server.expireAll();
        assertThat(call()).contains("you came with Bearer access-token-");
    }

    @Test
    void aTokenIsRenewedBeforeItExpires() throws Exception {
        server.expiresIn = 10;
        signIn();
        String first = seen.getLast();
        server.expiresIn = 3600;
        assertThat(call()).contains("you came with Bearer access-token-");
        assertThat(server.presented()).doesNotContain("Bearer " + first);
    }

    @Test
    void aLoginThatCannotBeRenewedAsksForAnother() throws Exception {
        signIn();
        server.expireAll();
        server.forgetRefreshTokens();
        assertThat(call()).contains("postern server login s");
        assertThat(logins.status("s").orElseThrow().refused()).isTrue();
        signIn();
        assertThat(call()).contains("you came with");
        assertThat(logins.status("s").orElseThrow().refused()).isFalse();
    }

    @Test
    void aMissingScopeIsAskedForAtTheNextLoginTogetherWithWhatWasGranted() throws Exception {
        signIn();
        server.needed = "write";
        assertThat(call()).contains("postern server login s");
        assertThat(logins.status("s").orElseThrow().refused()).isTrue();
        signIn();
        assertThat(logins.status("s").orElseThrow().scope()).contains("read", "write");
        assertThat(call()).contains("you came with");
    }

    @Test
    void anAnswerOfAnotherIssuerIsNotActedOn() throws Exception {
        Logins.Started started = logins.begin("s", server.endpoint(), null);
        Map<String, String> answer = browse(started.url());
        answer.put("iss", "http://localhost/other");
        assertThatThrownBy(() -> logins.complete("s", answer::get)).isInstanceOf(LoginException.class);
        assertThat(started.done()).isCompletedExceptionally();
        assertThat(logins.status("s")).isEmpty();
    }

    /** RFC 9700, section 4.4: an authorization server that sends the browser on to another one does not get its code. */
    @Test
    void anAnswerThatComesToAnotherServersAddressIsNotActedOn() throws Exception {
        server.issuerInRedirect = null;
        server.announcesIssuer = false;
        Logins.Started started = logins.begin("s", server.endpoint(), null);
        Map<String, String> answer = browse(started.url());
        assertThatThrownBy(() -> logins.complete("other", answer::get)).isInstanceOf(LoginException.class);
        assertThat(started.done()).isCompletedExceptionally();
        assertThat(logins.status("s")).isEmpty();
        assertThat(started.url().getRawQuery()).contains("callback%2Fs");
    }

    @Test
    void aMissingIssuerIsTakenOnlyWhereNoneWasAnnounced() throws Exception {
        server.issuerInRedirect = null;
        Logins.Started started = logins.begin("s", server.endpoint(), null);
        Map<String, String> answer = browse(started.url());
        assertThatThrownBy(() -> logins.complete("s", answer::get)).isInstanceOf(LoginException.class);
        server.announcesIssuer = false;
        signIn();
    }

    @Test
    void aStateIsGoodOnceAndAnInventedOneNever() throws Exception {
        Logins.Started started = logins.begin("s", server.endpoint(), null);
        Map<String, String> answer = browse(started.url());
        assertThatThrownBy(() -> logins.complete("s", Map.of("state", "invented", "code", "c")::get))
                .isInstanceOf(LoginException.class);
        logins.complete("s", answer::get);
        assertThatThrownBy(() -> logins.complete("s", answer::get)).isInstanceOf(LoginException.class);
    }

    @Test
    void anAuthorizationServerWithoutPkceIsNotUsed() {
        server.pkce = "[\"plain\"]";
        assertThatThrownBy(() -> logins.begin("s", server.endpoint(), null)).hasMessageContaining("PKCE");
    }

    @Test
    void metadataOfAnotherResourceOrIssuerIsNotUsed() {
        server.resource = "https://other.example/mcp";
        assertThatThrownBy(() -> logins.begin("s", server.endpoint(), null)).hasMessageContaining("another resource");
        server.resource = null;
        server.issuerInMetadata = "https://other.example";
        assertThatThrownBy(() -> logins.begin("s", server.endpoint(), null)).hasMessageContaining("another issuer");
    }

    @Test
    void aTokenIsNotSentToAServerWhoseAddressChanged() throws Exception {
        signIn();
        URI elsewhere = URI.create("http://127.0.0.1:1/mcp");
        assertThat(logins.credential("s", elsewhere).header()).isNull();
        assertThat(logins.credential("s", server.endpoint()).header()).isNotNull();
    }

    @Test
    void aTokenThatAnotherNodeRenewedIsTakenUp() throws Exception {
        signIn();
        try (Logins other = new Logins(
                kept,
                URI.create("http://127.0.0.1:7438/oauth/callback"),
                (name, token, end) -> {},
                InstantSource.system())) {
            SecretValue old =
                    requireNonNull(logins.credential("s", server.endpoint()).header());
            server.expireAll();
            assertThat(other.credential("s", server.endpoint()).refused(401, null, old))
                    .isTrue();
            server.forgetRefreshTokens();
            assertThat(logins.credential("s", server.endpoint()).refused(401, null, old))
                    .as("no renewal is needed, nor would one succeed")
                    .isTrue();
            assertThat(call()).contains("you came with");
        }
    }

    @Test
    void aServerElsewhereLeadsToNoPlainAddressOfThisMachine() {
        URI elsewhere = URI.create("https://mcp.example/mcp");
        assertThat(Web.address("http://localhost:8080/x", elsewhere)).isNull();
        assertThat(Web.address("http://localhost:8080/x", server.endpoint())).isNotNull();
        assertThat(Web.address("https://as.example/x", elsewhere)).isNotNull();
        assertThat(Web.address("http://as.example/x", server.endpoint())).isNull();
        assertThat(Web.address("file:///etc/passwd", server.endpoint())).isNull();
    }

    @Test
    void afterALogoutNothingIsLeftHereOrThere() throws Exception {
        signIn();
        assertThat(server.good()).isPositive();
        assertThat(logins.remove("s")).isTrue();
        assertThat(logins.status("s")).isEmpty();
        assertThat(kept.values).isEmpty();
        assertThat(server.good()).isZero();
    }

    @Test
    void aLogoutWhileTheTokenIsRenewedLeavesNothingEither() throws Exception {
        server.expiresIn = 10;
        signIn();
        server.whileRenewing = () -> logins.remove("s");
        assertThat(logins.credential("s", server.endpoint()).header()).isNull();
        assertThat(kept.values).isEmpty();
        assertThat(server.good())
                .as("what the renewal brought is given back, too")
                .isZero();
    }

    @Test
    void aLoginWhileTheTokenIsRenewedIsTheOneThatStays() throws Exception {
        server.expiresIn = 10;
        signIn();
        List<String> granted = new CopyOnWriteArrayList<>();
        server.whileRenewing = () -> {
            try {
                signIn();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            granted.add(seen.getLast());
            server.expiresIn = 3600;
        };
        SecretValue used =
                requireNonNull(logins.credential("s", server.endpoint()).header());
        assertThat(text(used)).isEqualTo("Bearer " + granted.getFirst());
        assertThat(call()).as("no token was given back but the first").contains("you came with");
    }

    /** Keeps what it is given, sealed by nothing. */
    private static final class Kept implements ServerLogins {
        private final Map<String, SecretValue> values = new ConcurrentHashMap<>();

        @Override
        public Optional<SecretValue> find(String name) {
            return Optional.ofNullable(values.get(name)).map(SecretValue::copy);
        }

        @Override
        public void save(String name, SecretValue login) {
            values.put(name, login.copy());
        }

        @Override
        public boolean remove(String name) {
            return values.remove(name) != null;
        }
    }
}
