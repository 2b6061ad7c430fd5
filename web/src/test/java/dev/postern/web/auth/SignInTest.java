package dev.postern.web.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Role;
import dev.postern.gate.person.Person;
import dev.postern.secret.SecretValue;
import dev.postern.store.Store;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import dev.postern.web.http.Access;
import dev.postern.web.http.ErrorPages;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Route;
import dev.postern.web.http.Router;
import dev.postern.web.testing.Browser;
import dev.postern.web.testing.HttpFront;
import dev.postern.web.testing.SettableClock;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A1, A2, A4. */
class SignInTest {
    private static final String PASSPHRASE = "correct horse battery";
    private static final URI ADDRESS = URI.create("https://postern.example.com");

    @TempDir
    Path directory;

    private final SettableClock clock = new SettableClock();
    private DataDirectory data;
    private Store store;
    private People people;
    private HttpFront front;

    @BeforeEach
    void start() throws Exception {
        data = DataDirectory.open(directory);
        store = Store.open(data, KeySource.file(), clock);
        people = new People(store.people(), clock);
        Sessions sessions = new Sessions(store.sessions(), people, clock);
        List<Route> routes = new ArrayList<>();
        PasskeyApi passkeys = new PasskeyApi(people, sessions, store.passkeys(), new RelyingParty(ADDRESS), clock);
        routes.addAll(new SignInRoutes(people, sessions, passkeys, new PlainSignInPages(), "").routes());
        routes.addAll(passkeys.routes());
        routes.addAll(new SessionApi(people, sessions).routes());
        routes.add(Route.page("POST", "/api/sensitive", Access.PERSON, request -> {
            request.requireConfirmed();
            return Reply.empty();
        }));
        front = new HttpFront(new Router(
                routes, new Authentication(new AgentKeys(store.agents()), sessions), ErrorPages.PLAIN, ADDRESS));
    }

    @AfterEach
    void stop() throws Exception {
        front.close();
        store.close();
        data.close();
    }

    private static SecretValue secret(String text) {
        return new SecretValue(text.getBytes(StandardCharsets.UTF_8));
    }

    private String link() {
        return people.link(people.operator(), "test", People.LINK_LIFETIME);
    }

    private void setPassphrase() {
        people.setPassphrase(people.operator(), secret(PASSPHRASE), "test");
    }

    private Browser signedIn() throws Exception {
        Browser browser = new Browser(front.origin());
        assertThat(browser.submit(link(), Map.of()).statusCode()).isEqualTo(303);
        return browser.takeToken();
    }

    private static int statusOf(Browser browser) throws Exception {
        return browser.get("/api/session").statusCode();
    }

    @Test
    @DisplayName("A link signs in once, and looking at it spends nothing")
    void aLinkSignsInOnceAndLookingAtItSpendsNothing() throws Exception {
        String link = link();
        Browser browser = new Browser(front.origin());
        assertThat(browser.get(link).body()).contains("operator");
        assertThat(browser.get(link).statusCode()).isEqualTo(200);
        HttpResponse<String> followed = browser.submit(link, Map.of());
        assertThat(followed.statusCode()).isEqualTo(303);
        assertThat(followed.headers().firstValue("Set-Cookie").orElseThrow())
                .contains("HttpOnly", "SameSite=Strict", "Path=/");
        assertThat(browser.takeToken().get("/api/session").body()).contains("\"role\":\"admin\"");

        Browser second = new Browser(front.origin());
        assertThat(second.get(link).statusCode()).isEqualTo(404);
        assertThat(second.submit(link, Map.of()).statusCode()).isEqualTo(404);
        assertThat(second.get("/sign-in/link/never-was").body())
                .isEqualTo(second.get(link).body());
    }

    @Test
    @DisplayName("Under the configured address the session's cookie is for TLS alone, and passkeys are for its host")
    void aProxyInFrontEndsTls() throws Exception {
        assertThat(raw("POST " + link(), "postern.example.com"))
                .contains("Set-Cookie: __Host-postern=", "; Secure", "Strict-Transport-Security");
        assertThat(raw("POST " + link(), "127.0.0.1")).doesNotContain("Secure");
        assertThat(raw("POST /api/session/passkey/options", "postern.example.com"))
                .contains("\"rpId\":\"postern.example.com\"");
        assertThat(raw("POST /api/session/passkey/options", "other.example.com"))
                .contains("PASSKEYS_UNAVAILABLE");
    }

    @Test
    @DisplayName("A passkey signs for the port that is served: not for a page of another port of this machine")
    void anotherPortOfThisMachineIsAnotherParty() throws Exception {
        int port = URI.create(front.origin()).getPort();
        assertThat(raw("POST /api/session/passkey/options", "localhost:" + port))
                .contains("\"rpId\":\"localhost\"");
        for (String host : List.of("localhost:" + (port == 9999 ? 9998 : 9999), "localhost")) {
            assertThat(raw("POST /api/session/passkey/options", host)).contains("PASSKEYS_UNAVAILABLE");
        }
    }

    @Test
    @DisplayName("Anybody may ask for a challenge, as often as they like: nothing is written")
    void askingForAChallengeWritesNothing() throws Exception {
        int port = URI.create(front.origin()).getPort();
        try (Connection watching = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("postern.db"))) {
            long before = version(watching);
            for (int i = 0; i < 20; i++) {
                assertThat(raw("POST /api/session/passkey/options", "localhost:" + port))
                        .contains("\"challenge\":");
            }
            assertThat(version(watching)).isEqualTo(before);
            link();
            assertThat(version(watching)).as("what is written is seen").isNotEqualTo(before);
        }
    }

    /** Changes whenever another connection writes. */
    private static long version(Connection watching) throws SQLException {
        try (Statement statement = watching.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA data_version")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** With a Host header of its own, which HTTP clients keep for themselves. */
    private String raw(String request, String host) throws Exception {
        URI address = URI.create(front.origin());
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write((request + " HTTP/1.1\r\nHost: " + host
                                    + "\r\nContent-Type: application/x-www-form-urlencoded"
                                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void anExpiredLinkOrOneReplacedByALaterOneSignsNobodyIn() throws Exception {
        String first = link();
        String second = link();
        Browser browser = new Browser(front.origin());
        assertThat(browser.submit(first, Map.of()).statusCode()).isEqualTo(404);
        clock.pass(People.LINK_LIFETIME);
        assertThat(browser.submit(second, Map.of()).statusCode()).isEqualTo(404);
    }

    @Test
    void ofManyWhoFollowOneLinkAtOnceOneIsSignedIn() throws Exception {
        String link = link();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<Integer>> tries = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                tries.add(
                        () -> new Browser(front.origin()).submit(link, Map.of()).statusCode());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> status : threads.invokeAll(tries)) {
                statuses.add(status.get());
            }
            assertThat(statuses).containsOnlyOnce(303).contains(404);
        }
    }

    @Test
    @DisplayName("A passphrase chosen on the link signs in from then on, and is kept as a hash only")
    void aPassphraseChosenOnTheLinkSignsInFromThenOn() throws Exception {
        Browser browser = new Browser(front.origin());
        String link = link();
        assertThat(browser.submit(link, Map.of("passphrase", "short", "again", "short"))
                        .statusCode())
                .isEqualTo(422);
        assertThat(browser.submit(link, Map.of("passphrase", PASSPHRASE, "again", "other"))
                        .statusCode())
                .isEqualTo(422);
        assertThat(browser.submit(link, Map.of("passphrase", PASSPHRASE, "again", PASSPHRASE))
                        .statusCode())
                .isEqualTo(303);

        Browser later = new Browser(front.origin());
        HttpResponse<String> signedIn = later.submit("/sign-in", Map.of("passphrase", PASSPHRASE, "to", "/vault"));
        assertThat(signedIn.statusCode()).isEqualTo(303);
        assertThat(signedIn.headers().firstValue("Location")).hasValue("/vault");
        assertThat(statusOf(later)).isEqualTo(200);
        String hash = store.people().passphraseHash(people.operator().id()).orElseThrow();
        assertThat(hash).startsWith("$argon2id$v=19$m=65536,t=3,p=4$");
        try (var files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .doesNotContain(PASSPHRASE);
            }
        }
    }

    @Test
    @DisplayName("A4: an unknown person and a wrong passphrase get the same answer")
    void anUnknownPersonAndAWrongPassphraseGetTheSameAnswer() throws Exception {
        setPassphrase();
        people.invite("kim", Role.MEMBER, "operator");
        Browser browser = new Browser(front.origin());
        HttpResponse<String> wrong =
                browser.submit("/sign-in", Map.of("name", "operator", "passphrase", "nope nope nope"));
        HttpResponse<String> unknown =
                browser.submit("/sign-in", Map.of("name", "nobody", "passphrase", "nope nope nope"));
        HttpResponse<String> without =
                browser.submit("/sign-in", Map.of("name", "kim", "passphrase", "nope nope nope"));
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.body()).isEqualTo(wrong.body());
        assertThat(without.body()).isEqualTo(wrong.body());
    }

    @Test
    @DisplayName("A4: guessing is slowed down, never locked out, and a link still works")
    void guessingIsSlowedDown() throws Exception {
        setPassphrase();
        Browser browser = new Browser(front.origin());
        for (int i = 0; i < 3; i++) {
            assertThat(browser.submit("/sign-in", Map.of("passphrase", "nope nope nope"))
                            .statusCode())
                    .isEqualTo(401);
        }
        HttpResponse<String> slowed = browser.submit("/sign-in", Map.of("passphrase", PASSPHRASE));
        assertThat(slowed.statusCode()).isEqualTo(429);
        assertThat(slowed.headers().firstValue("Retry-After")).isPresent();
        assertThat(new Browser(front.origin()).submit(link(), Map.of()).statusCode())
                .isEqualTo(303);
        clock.pass(Duration.ofSeconds(16));
        assertThat(browser.submit("/sign-in", Map.of("passphrase", PASSPHRASE)).statusCode())
                .isEqualTo(303);
    }

    @Test
    @DisplayName("A4: a session that nobody used for 30 minutes is over")
    void anIdleSessionIsOver() throws Exception {
        Browser browser = signedIn();
        clock.pass(Sessions.IDLE.minusSeconds(1));
        assertThat(statusOf(browser)).isEqualTo(200);
        clock.pass(Sessions.IDLE.minusSeconds(1));
        assertThat(statusOf(browser)).isEqualTo(200);
        clock.pass(Sessions.IDLE);
        assertThat(statusOf(browser)).isEqualTo(401);
    }

    @Test
    @DisplayName("A4: a session lasts 12 hours at most, however busy it is")
    void aSessionLastsTwelveHoursAtMost() throws Exception {
        Browser browser = signedIn();
        for (int i = 0; i < 35; i++) {
            clock.pass(Duration.ofMinutes(20));
            assertThat(statusOf(browser)).isEqualTo(200);
        }
        clock.pass(Duration.ofMinutes(20));
        assertThat(statusOf(browser)).isEqualTo(401);
    }

    @Test
    @DisplayName("A4: signing in changes the token, so none can be planted; the old one is over")
    void signingInChangesTheToken() throws Exception {
        Browser planted = new Browser(front.origin());
        String name = "postern_" + front.origin().substring(front.origin().lastIndexOf(':') + 1);
        planted.cookies().put(name, "planted-by-somebody");
        planted.submit(link(), Map.of());
        String first = String.valueOf(planted.cookies().get(name));
        assertThat(first).isNotEqualTo("planted-by-somebody").hasSize(43);

        Browser thief = new Browser(front.origin());
        thief.cookies().put(name, first);
        assertThat(statusOf(thief)).isEqualTo(200);
        planted.submit(link(), Map.of());
        assertThat(statusOf(planted)).isEqualTo(200);
        assertThat(statusOf(thief)).isEqualTo(401);
    }

    @Test
    @DisplayName("A4: signing out ends the session at the gateway, and leaves nothing to go back to")
    void signingOutEndsTheSessionAtTheGateway() throws Exception {
        Browser browser = signedIn();
        Browser copy = new Browser(front.origin());
        copy.cookies().putAll(browser.cookies());
        assertThat(copy.get("/account").headers().firstValue("Cache-Control")).hasValue("no-store");
        HttpResponse<String> out = browser.submit("/sign-out", Map.of());
        assertThat(out.statusCode()).isEqualTo(303);
        assertThat(out.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
        assertThat(statusOf(copy)).isEqualTo(401);
    }

    @Test
    @DisplayName("A4: another session's token is no token")
    void anotherSessionsTokenIsNoToken() throws Exception {
        Browser one = signedIn();
        Browser other = signedIn();
        assertThat(other.token()).isNotEqualTo(one.token());
        HttpResponse<String> answer = other.send("DELETE", "/api/session", "", "X-CSRF-Token", one.token());
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(statusOf(other)).isEqualTo(200);
    }

    @Test
    @DisplayName("Sensitive acts ask for the passphrase again after 5 minutes")
    void sensitiveActsAskAgain() throws Exception {
        setPassphrase();
        Browser browser = new Browser(front.origin());
        browser.submit("/sign-in", Map.of("passphrase", PASSPHRASE));
        browser.takeToken();
        assertThat(browser.json("POST", "/api/sensitive", "").statusCode()).isEqualTo(204);
        clock.pass(Sessions.CONFIRMED);
        assertThat(browser.json("POST", "/api/sensitive", "").body()).contains("CONFIRMATION_REQUIRED");
        assertThat(browser.json("POST", "/api/session/confirm", "{\"passphrase\":\"nope nope nope\"}")
                        .statusCode())
                .isEqualTo(401);
        assertThat(browser.json("POST", "/api/session/confirm", "{\"passphrase\":\"" + PASSPHRASE + "\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(browser.json("POST", "/api/sensitive", "").statusCode()).isEqualTo(204);
    }

    @Test
    void aNewPassphraseEndsTheOtherSessions() throws Exception {
        Browser one = signedIn();
        Browser other = signedIn();
        assertThat(one.json("PUT", "/api/session/passphrase", "{\"passphrase\":\"" + PASSPHRASE + "\"}")
                        .statusCode())
                .isEqualTo(204);
        assertThat(statusOf(one)).isEqualTo(200);
        assertThat(statusOf(other)).isEqualTo(401);
        assertThat(one.json("PUT", "/api/session/passphrase", "{\"passphrase\":\"something quite else\"}")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    @DisplayName("A link cannot take the place of a passphrase that is set")
    void aLinkCannotReplaceAPassphrase() throws Exception {
        setPassphrase();
        Browser browser = new Browser(front.origin());
        browser.submit(link(), Map.of("passphrase", "something quite else", "again", "something quite else"));
        assertThat(people.verify(Person.OPERATOR, secret(PASSPHRASE))).isInstanceOf(Verdict.Right.class);
        assertThat(browser.takeToken().get("/api/session").body()).contains("\"confirmed\":false");
    }

    @Test
    @DisplayName("A2: another role holds at once, and a removed person is out")
    void anotherRoleHoldsAtOnce() throws Exception {
        People.Invitation kim = people.invite("kim", Role.APPROVER, "operator");
        Browser browser = new Browser(front.origin());
        browser.submit(kim.path(), Map.of());
        assertThat(browser.get("/api/session").body()).contains("\"role\":\"approver\"");
        people.changeRole(kim.person().id(), Role.MEMBER, "operator");
        assertThat(browser.get("/api/session").body()).contains("\"role\":\"member\"");
        people.remove(kim.person().id(), "operator");
        assertThat(statusOf(browser)).isEqualTo(401);
    }

    @Test
    void nobodyIsLedElsewhereAfterSigningIn() throws Exception {
        setPassphrase();
        for (String to :
                List.of("//evil.example/", "https://evil.example/", "/\\evil.example", "/a\r\nSet-Cookie: x=y")) {
            HttpResponse<String> answer =
                    new Browser(front.origin()).submit("/sign-in", Map.of("passphrase", PASSPHRASE, "to", to));
            assertThat(answer.headers().firstValue("Location")).hasValue("/");
        }
    }

    @Test
    void whatPeopleDidIsRecorded() throws Exception {
        signedIn();
        people.invite("kim", Role.MEMBER, "operator");
        assertThat(store.operatorLog().latest(10).stream().map(act -> act.act() + " " + act.subject()))
                .contains("person.sign-in operator", "person.add kim as member", "person.link kim");
    }
}
