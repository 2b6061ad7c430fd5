package dev.postern.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.agent.Right;
import dev.postern.json.JsonValue;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A1, A2, A4. */
class RouterTest {
    private static final String ADMIN = "person=admin";
    private static final String TOKEN = "token-of-admin";

    private static Route open(String method, String template, Endpoint endpoint) {
        return Route.page(method, template, Access.OPEN, endpoint);
    }

    private static Route guarded(Access access) {
        return Route.page("POST", "/api/act", access, request -> Reply.json(Map.of("done", true)));
    }

    @ParameterizedTest
    @CsvSource({"/api/a/x%2Dy, x-y", "/api/a/fixed, the fixed one", "/api/a/1+2, 1+2"})
    void theMoreExactTemplateWinsAndValuesAreDecoded(String path, String expected) throws Exception {
        try (Served served = new Served(
                open("GET", "/api/a/{id}", request -> Reply.json(request.pathValue("id"))),
                open("GET", "/api/a/fixed", request -> Reply.json("the fixed one")))) {
            assertThat(served.get(path).body()).isEqualTo('"' + expected + '"');
        }
    }

    @Test
    void whatIsNotThereIsAProblemToAProgramAndAPageToAPerson() throws Exception {
        try (Served served = new Served(open("GET", "/api/a", request -> Reply.empty()))) {
            HttpResponse<String> problem = served.get("/api/b", "Accept", "text/html");
            assertThat(problem.statusCode()).isEqualTo(404);
            assertThat(problem.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            JsonValue document = JsonValue.parse(problem.body().getBytes(StandardCharsets.UTF_8));
            assertThat(document.string("code")).isEqualTo("NOT_FOUND");
            assertThat(document.string("type")).isEqualTo("urn:postern:problem:not-found");
            assertThat(document.string("title")).isEqualTo("Not Found");

            HttpResponse<String> page = served.get("/nowhere", "Accept", "text/html");
            assertThat(page.statusCode()).isEqualTo(404);
            assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        }
    }

    @Test
    void anotherMethodIsToldWhichOnesThereAre() throws Exception {
        try (Served served = new Served(
                open("GET", "/api/a", request -> Reply.json(1)), open("PUT", "/api/a", request -> Reply.empty()))) {
            HttpResponse<String> other = served.post("/api/a", "");
            assertThat(other.statusCode()).isEqualTo(405);
            assertThat(other.headers().firstValue("Allow")).hasValue("GET, HEAD, PUT");
            HttpResponse<String> head =
                    served.send(served.request("/api/a").method("HEAD", HttpRequest.BodyPublishers.noBody()));
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }
    }

    @Test
    @DisplayName("V3, A1: an agent is told that this takes a person")
    void anAgentIsToldThatThisTakesAPerson() throws Exception {
        for (Access access : List.of(Access.needs(Right.WRITE_OWN_SECRETS), Access.PERSON)) {
            try (Served served = new Served(guarded(access))) {
                HttpResponse<String> refused = served.post("/api/act", "{}", "Authorization", "Bearer key");
                assertThat(refused.statusCode()).as("%s", access).isEqualTo(403);
                assertThat(refused.body()).contains("\"code\":\"PORTAL_SESSION_REQUIRED\"");
            }
        }
    }

    @Test
    void nobodyIsAskedToSignIn() throws Exception {
        try (Served served = new Served(
                guarded(Access.CALLER), Route.page("GET", "/vault", Access.PERSON, request -> Reply.empty()))) {
            HttpResponse<String> api = served.post("/api/act", "{}");
            assertThat(api.statusCode()).isEqualTo(401);
            assertThat(api.headers().firstValue("WWW-Authenticate")).isPresent();
            HttpResponse<String> page = served.get("/vault", "Accept", "text/html");
            assertThat(page.statusCode()).isEqualTo(303);
            assertThat(page.headers().firstValue("Location")).hasValue("/sign-in?to=/vault");
        }
    }

    @ParameterizedTest
    @DisplayName("A confirmation leads back to the page the form stood on, never to another host")
    @CsvSource({"/agents?x=1, /agents", "//evil.example/x, /", "/\\evil.example, /"})
    void aConfirmationLeadsBackHere(String referrer, String to) throws Exception {
        Route sensitive = Route.page("POST", "/act", Access.PERSON, request -> {
            request.requireConfirmed();
            return Reply.empty();
        });
        try (Served served = new Served(sensitive)) {
            HttpResponse<String> answer = served.post(
                    "/act",
                    "",
                    "Cookie",
                    ADMIN,
                    "X-CSRF-Token",
                    TOKEN,
                    "Accept",
                    "text/html",
                    "Referer",
                    served.origin() + referrer);
            assertThat(answer.headers().firstValue("Location")).hasValue("/confirm?to=" + to);
        }
    }

    @ParameterizedTest
    @DisplayName("A2: a role has its rights and no others")
    @CsvSource({"member, 403", "approver, 200", "admin, 200"})
    void aRoleHasItsRightsAndNoOthers(String role, int status) throws Exception {
        try (Served served = new Served(guarded(Access.needs(Right.DECIDE_APPROVALS)))) {
            HttpResponse<String> answer =
                    served.post("/api/act", "{}", "Cookie", "person=" + role, "X-CSRF-Token", "token-of-" + role);
            assertThat(answer.statusCode()).isEqualTo(status);
        }
    }

    @Test
    @DisplayName("A4: a person's write carries the token of the session")
    void aPersonsWriteCarriesTheTokenOfTheSession() throws Exception {
        try (Served served = new Served(guarded(Access.PERSON))) {
            assertThat(served.post("/api/act", "{}", "Cookie", ADMIN).body()).contains("CSRF_TOKEN_REQUIRED");
            assertThat(served.post("/api/act", "{}", "Cookie", ADMIN, "X-CSRF-Token", "token-of-member")
                            .body())
                    .contains("CSRF_TOKEN_REQUIRED");
            assertThat(served.post("/api/act", "{}", "Cookie", ADMIN, "X-CSRF-Token", TOKEN)
                            .statusCode())
                    .isEqualTo(200);
            String form = "application/x-www-form-urlencoded";
            assertThat(served.post("/api/act", "csrf=" + TOKEN, "Cookie", ADMIN, "Content-Type", form)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @DisplayName("A4: what another site's page sends is refused, token or not")
    @ValueSource(strings = {"cross-site", "same-site"})
    void whatAnotherSitesPageSendsIsRefused(String site) throws Exception {
        try (Served served = new Served(guarded(Access.OPEN))) {
            assertThat(served.post("/api/act", "{}", "Sec-Fetch-Site", site).body())
                    .contains("CROSS_SITE");
            assertThat(served.post("/api/act", "{}", "Origin", "http://127.0.0.1:1")
                            .body())
                    .contains("CROSS_SITE");
            assertThat(served.post("/api/act", "{}", "Origin", "null").body()).contains("CROSS_SITE");
            assertThat(served.post("/api/act", "{}", "Origin", served.origin()).statusCode())
                    .isEqualTo(200);
            assertThat(served.post("/api/act", "{}", "Origin", "null", "Sec-Fetch-Site", "same-origin")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aBodyHasABound() throws Exception {
        Route small = guarded(Access.OPEN).withMaxBodyBytes(10);
        try (Served served = new Served(small)) {
            assertThat(served.post("/api/act", "0123456789").statusCode()).isEqualTo(200);
            assertThat(served.post("/api/act", "0123456789a").statusCode()).isEqualTo(413);
            HttpRequest.BodyPublisher unsized =
                    HttpRequest.BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(new byte[100]));
            assertThat(served.send(served.request("/api/act").POST(unsized)).statusCode())
                    .isEqualTo(413);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json | {\"value\":\"p\\u00e4ss\\\"\\n&+%41\"}",
                "application/x-www-form-urlencoded | name=x&value=p%c3%A4ss%22%0A%26%2b%2541&value=second",
                "multipart/form-data; boundary=\"b\" | --b%Content-Disposition: form-data; name=\"value\"%%päss\"^&+#41%--b--"
            })
    void aSecretFieldIsReadAsBytesAndTheBodyIsWiped(String type, String text) throws Exception {
        AtomicReference<String> read = new AtomicReference<>();
        AtomicReference<byte[]> body = new AtomicReference<>(new byte[0]);
        String sent = type.startsWith("multipart")
                ? text.replace("%", "\r\n").replace('#', '%').replace('^', '\n')
                : text;
        try (Served served = new Served(open("POST", "/api/secret", request -> {
            body.set(request.body());
            try (SecretValue value = request.secretField("value").orElseThrow()) {
                read.set(new String(value.reveal(Reveal.TO_SEAL), StandardCharsets.UTF_8));
            }
            return Reply.empty();
        }))) {
            HttpResponse<String> answer = served.post("/api/secret", sent, "Content-Type", type);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
        }
        assertThat(read).hasValue("päss\"\n&+%41");
        assertThat(body.get()).hasSizeGreaterThan(5).containsOnly(0);
    }

    @Test
    void aFailureSaysNothingOfItself() throws Exception {
        try (Served served = new Served(open("GET", "/api/fails", request -> {
            throw new IllegalStateException("Hunter2-from-a-driver");
        }))) {
            HttpResponse<String> answer = served.get("/api/fails");
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).contains("INTERNAL_ERROR").doesNotContain("Hunter2");
        }
    }

    @Test
    void whatIsTooLongToHoldIsWrittenAsItIsMade() throws Exception {
        try (Served served = new Served(open(
                "GET",
                "/api/lines",
                request -> Reply.stream("text/plain", out -> {
                    for (int i = 0; i < 10_000; i++) {
                        out.write("0123456789\n".getBytes(StandardCharsets.UTF_8));
                    }
                })))) {
            assertThat(served.get("/api/lines").body()).hasSize(110_000);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/a", "/nowhere", "/api/fails"})
    void everyReplyConfinesABrowserAndIsKeptNowhere(String path) throws Exception {
        try (Served served =
                new Served(open("GET", "/api/a", request -> Reply.json(1)), open("GET", "/api/fails", request -> {
                    throw new IllegalStateException();
                }))) {
            var headers = served.get(path).headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'")
                    .doesNotContain("unsafe");
            assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
            assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(headers.firstValue("Cross-Origin-Opener-Policy")).hasValue("same-origin");
        }
    }

    @Test
    void aPolledListIsNotSentAgain() throws Exception {
        try (Served served =
                new Served(open("GET", "/api/list", request -> Reply.json(1).tagged(request)))) {
            String tag = served.get("/api/list").headers().firstValue("ETag").orElseThrow();
            HttpResponse<String> again = served.get("/api/list", "If-None-Match", tag);
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(served.get("/api/list", "If-None-Match", "\"other\"").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void anAssetIsNamedByItsContentAndKeptForGood() throws Exception {
        Assets assets = Assets.of(RouterTest.class, "test.css");
        try (Served served = new Served(assets.route())) {
            HttpResponse<String> plain = served.get(assets.path("test.css"));
            assertThat(plain.body()).startsWith("body {");
            assertThat(plain.headers().firstValue("Cache-Control").orElseThrow())
                    .contains("immutable");
            assertThat(plain.headers().firstValue("Content-Type")).hasValue("text/css; charset=utf-8");
            assertThat(served.get(assets.path("test.css"), "Accept-Encoding", "gzip")
                            .headers()
                            .firstValue("Content-Encoding"))
                    .hasValue("gzip");
            assertThat(served.get("/assets/test.000000000000.css").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void eventsArriveAsTheyHappenAndEndWithTheSession() throws Exception {
        CompletableFuture<EventSink> sink = new CompletableFuture<>();
        CompletableFuture<String> closed = new CompletableFuture<>();
        try (Served served = new Served(Route.page(
                "GET",
                "/events",
                Access.PERSON,
                request -> Reply.events(given -> {
                    sink.complete(given);
                    return () -> closed.complete("closed");
                })))) {
            HttpResponse<java.io.InputStream> stream = served.client()
                    .send(served.request("/events", "Cookie", ADMIN).build(), BodyHandlers.ofInputStream());
            assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                sink.join().send("approval", "one\ntwo");
                assertThat(lines.lines().skip(2).limit(4))
                        .containsExactly("event: approval", "data: one", "data: two", "");
                served.signedOut.add("admin");
                sink.join().send("approval", "not for you");
                assertThat(lines.lines().filter(line -> !line.startsWith(":"))).isEmpty();
            }
            assertThat(closed.join()).isEqualTo("closed");
        }
    }

    @Test
    void stoppingEndsOpenStreams() throws Exception {
        try (Served served = new Served(open("GET", "/events", request -> Reply.events(sink -> () -> {})))) {
            HttpResponse<java.io.InputStream> stream =
                    served.client().send(served.request("/events").build(), BodyHandlers.ofInputStream());
            served.router.close();
            assertThat(new String(stream.body().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("retry: 2000");
        }
    }
}
