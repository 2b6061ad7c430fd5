package dev.postern.web.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.store.ledger.LedgerFilter;
import dev.postern.store.ledger.LedgerReader;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** O1 to O3 over HTTP. */
final class RedemptionTest {
    private static final String VALUE = "otl <Tr0ub4dor> & \"3\"\n";
    private static final String NEVER = "/api/vault/otl/" + "A".repeat(43);
    private static final int RACERS = 50;

    /** The build runs 20; {@code -Dpostern.links.rounds=1000} runs more. */
    private static final int ROUNDS = Integer.getInteger("postern.links.rounds", 20);

    @TempDir
    Path data;

    @Test
    @DisplayName("O2: POST gives the value's very bytes, once; looking takes nothing")
    void once() throws Exception {
        try (LinkServer server = new LinkServer(data, 1_000)) {
            String link = server.link(VALUE, 60);
            for (String method : new String[] {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}) {
                server.send(method, link, "");
                server.send(method, link, "", "Accept", "text/html");
            }
            HttpResponse<String> given = server.post(link, "");
            assertThat(given.statusCode()).isEqualTo(200);
            assertThat(given.body()).isEqualTo(VALUE);
            assertThat(given.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
            assertConfined(given);
            assertThat(server.post(link, "").statusCode()).isEqualTo(404);
            assertThat(server.remembered).containsExactly("local [REDACTED:one-time-link]");
        }
    }

    @Test
    @DisplayName("O2: GET and HEAD of anything but a browser are told to POST, whatever the link")
    void looking() throws Exception {
        try (LinkServer server = new LinkServer(data, 1_000)) {
            for (String link : List.of(server.link(VALUE, 60), server.origin() + NEVER)) {
                HttpResponse<String> get = server.send("GET", link, "");
                assertThat(get.statusCode()).isEqualTo(405);
                assertThat(get.headers().firstValue("Allow")).hasValue("POST");
                assertThat(get.body()).contains("POST").contains("METHOD_NOT_ALLOWED");
                assertThat(server.send("HEAD", link, "", "Accept", "text/html").statusCode())
                        .isEqualTo(405);
                HttpResponse<String> page = server.send("GET", link, "", "Accept", "text/html,*/*");
                assertThat(page.statusCode()).isEqualTo(200);
                assertThat(page.body())
                        .contains("<form method=\"post\">", "once")
                        .doesNotContain(VALUE.strip(), "otl");
                assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                        .contains("default-src 'none'", "form-action 'self'")
                        .doesNotContain("unsafe");
                assertConfined(page);
                assertConfined(get);
            }
        }
    }

    @Test
    @DisplayName("O2: a browser's POST shows the value on a page, escaped, once")
    void inABrowser() throws Exception {
        try (LinkServer server = new LinkServer(data, 1_000)) {
            String link = server.link(VALUE, 60);
            HttpResponse<String> shown = server.post(link, "", "Accept", "text/html");
            assertThat(shown.statusCode()).isEqualTo(200);
            assertThat(shown.body()).contains("otl &lt;Tr0ub4dor> &amp; \"3\"\n</textarea>");
            assertConfined(shown);
            HttpResponse<String> gone = server.post(link, "", "Accept", "text/html");
            assertThat(gone.statusCode()).isEqualTo(404);
            assertThat(gone.body()).contains("This link gives nothing");
        }
    }

    @Test
    @DisplayName("A4: whoever is signed in presses the button of our page, and no other site's")
    void signedIn() throws Exception {
        try (LinkServer server = new LinkServer(data, 1_000)) {
            String link = server.link(VALUE, 60);
            String[] cookie = {"Accept", "text/html", "Cookie", "person=member"};
            assertThat(server.send("GET", link, "", cookie).body()).contains("name=\"csrf\" value=\"token-of-member\"");
            assertThat(server.post(link, "", "Sec-Fetch-Site", "cross-site").statusCode())
                    .isEqualTo(403);
            String[] form = Arrays.copyOf(cookie, 6);
            form[4] = "Content-Type";
            form[5] = "application/x-www-form-urlencoded";
            assertThat(server.post(link, "csrf=token-of-member", form).body()).contains("Tr0ub4dor");
        }
    }

    @Test
    @DisplayName("O2: every miss is the same answer, byte for byte and header for header")
    void misses() throws Exception {
        try (LinkServer server = new LinkServer(data, 1_000)) {
            String spent = server.link(VALUE, 60);
            assertThat(server.post(spent, "").statusCode()).isEqualTo(200);
            String expired = server.link(VALUE, 60);
            server.pass(Duration.ofSeconds(60));
            for (String[] accept : new String[][] {{"Accept", "*/*"}, {"Accept", "text/html"}}) {
                HttpResponse<String> never = server.post(server.origin() + NEVER, "", accept);
                assertThat(never.statusCode()).isEqualTo(404);
                assertConfined(never);
                for (String miss : List.of(spent, expired, spent + "x", server.origin() + "/api/vault/otl/short")) {
                    HttpResponse<String> answer = server.post(miss, "", accept);
                    assertThat(answer.statusCode()).isEqualTo(404);
                    assertThat(answer.body()).isEqualTo(never.body());
                    assertThat(answer.headers()).isEqualTo(never.headers());
                }
            }
        }
    }

    /**
     * The three kinds take turns, so that what else the machine does is shared out; medians leave its moods aside. A difference
     * that is there shows each time.
     */
    @Test
    @DisplayName("O2: every miss takes the same time, within noise")
    void missesTakeTheSameTime() throws Exception {
        try (LinkServer server = new LinkServer(data, 1_000_000)) {
            List<String> kinds = new ArrayList<>();
            String spent = server.link(VALUE, 60);
            assertThat(server.post(spent, "").statusCode()).isEqualTo(200);
            kinds.add(spent);
            kinds.add(server.link(VALUE, 60));
            server.pass(Duration.ofSeconds(60));
            kinds.add(server.origin() + NEVER);
            List<long[]> measured = new ArrayList<>();
            do {
                measured.add(medians(server, kinds));
            } while (measured.size() < 3 && differ(measured.getLast()));
            assertThat(measured)
                    .as("medians %s", measured.stream().map(Arrays::toString).toList())
                    .anySatisfy(medians -> assertThat(differ(medians)).isFalse());
        }
    }

    private static boolean differ(long[] medians) {
        return Arrays.stream(medians).max().orElseThrow()
                >= 2 * Arrays.stream(medians).min().orElseThrow();
    }

    /** By kind, in nanoseconds. */
    private static long[] medians(LinkServer server, List<String> kinds) throws Exception {
        int rounds = 300;
        long[][] nanos = new long[kinds.size()][rounds];
        for (int round = -50; round < rounds; round++) {
            for (int kind = 0; kind < kinds.size(); kind++) {
                long start = System.nanoTime();
                server.post(kinds.get((kind + Math.abs(round)) % kinds.size()), "");
                if (round >= 0) {
                    nanos[(kind + round) % kinds.size()][round] = System.nanoTime() - start;
                }
            }
        }
        long[] medians = Arrays.stream(nanos)
                .mapToLong(times -> Arrays.stream(times).sorted().toArray()[rounds / 2])
                .toArray();
        System.out.println("medians of misses in microseconds (spent, expired, never): "
                + Arrays.toString(
                        Arrays.stream(medians).map(each -> each / 1_000).toArray()));
        return medians;
    }

    @Test
    @DisplayName("O3: of 50 racers one gets the value, and all others the same miss, in every round")
    void race() throws Exception {
        try (LinkServer server = new LinkServer(data, Integer.MAX_VALUE);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String never = server.post(server.origin() + NEVER, "").body();
            for (int round = 0; round < ROUNDS; round++) {
                String link = server.link(VALUE, 60);
                CountDownLatch start = new CountDownLatch(1);
                List<Future<HttpResponse<String>>> racers = new ArrayList<>();
                for (int i = 0; i < RACERS; i++) {
                    racers.add(threads.submit(() -> {
                        start.await();
                        return server.post(link, "");
                    }));
                }
                start.countDown();
                int winners = 0;
                for (Future<HttpResponse<String>> racer : racers) {
                    HttpResponse<String> answer = racer.get();
                    if (answer.statusCode() == 200) {
                        winners++;
                        assertThat(answer.body()).isEqualTo(VALUE);
                    } else {
                        assertThat(answer.statusCode()).isEqualTo(404);
                        assertThat(answer.body()).isEqualTo(never);
                    }
                }
                assertThat(winners).as("winners of round %d", round).isEqualTo(1);
            }
        }
    }

    @Test
    @DisplayName("O3: who misses too often is turned away, whatever they bring, for a while")
    void rateLimit() throws Exception {
        try (LinkServer server = new LinkServer(data, 3)) {
            String link = server.link(VALUE, 600);
            for (int i = 0; i < 3; i++) {
                assertThat(server.post(server.origin() + NEVER, "").statusCode())
                        .isEqualTo(404);
            }
            HttpResponse<String> away = server.post(link, "");
            assertThat(away.statusCode()).isEqualTo(429);
            assertThat(away.headers().firstValue("Retry-After")).hasValue("60");
            assertThat(server.post(server.origin() + NEVER, "").body()).isEqualTo(away.body());
            server.pass(Duration.ofMinutes(1));
            assertThat(server.post(link, "").body()).isEqualTo(VALUE);
        }
    }

    @Test
    @DisplayName("A3: the kill switch stops links too, and they are there again afterwards")
    void killed() throws Exception {
        try (LinkServer server = new LinkServer(data, 1_000)) {
            String link = server.link(VALUE, 60);
            server.killed.set(true);
            assertThat(server.post(link, "").statusCode()).isEqualTo(503);
            assertThat(server.post(server.origin() + NEVER, "").statusCode()).isEqualTo(503);
            assertThat(server.link(VALUE, 60)).isEqualTo("null");
            server.killed.set(false);
            assertThat(server.post(link, "").body()).isEqualTo(VALUE);
        }
    }

    @Test
    @DisplayName(
            "V3, A1: an agent hands no value over; a person makes links to their own secrets; all of it is in the ledger, without tokens")
    void whoMayMakeOne() throws Exception {
        String link;
        try (LinkServer server = new LinkServer(data, 1_000)) {
            server.addSecret("mine", "mine-" + VALUE, "kim");
            server.addSecret("theirs", "theirs-" + VALUE, "lee");
            String presign = server.origin() + "/api/vault/presign";
            String[] json = {"Content-Type", "application/json"};
            String[] agent = {"Content-Type", "application/json", "Authorization", "Bearer k"};
            String[] member = {
                "Content-Type", "application/json", "Cookie", "person=member", "X-CSRF-Token", "token-of-member"
            };
            assertThat(server.post(presign, "{\"name\":\"mine\"}", json).statusCode())
                    .isEqualTo(401);
            assertThat(server.post(server.origin() + "/api/vault/links", "{\"value\":\"x\"}", agent)
                            .body())
                    .contains("PORTAL_SESSION_REQUIRED");
            assertThat(server.post(presign, "{\"name\":\"mine\"}", agent).body())
                    .isEqualTo("{\"agent\":\"claude\"}");
            assertThat(server.post(presign, "{\"name\":\"theirs\"}", member).statusCode())
                    .isEqualTo(403);
            assertThat(server.post(presign, "{\"name\":\"none\"}", member).statusCode())
                    .isEqualTo(404);
            assertThat(server.post(presign, "{\"name\":\"mine\",\"ttl_seconds\":601}", member)
                            .statusCode())
                    .isEqualTo(400);
            assertThat(server.post(server.origin() + "/api/vault/links", "{\"value\":\"x\",\"ttl_seconds\":61}", member)
                            .statusCode())
                    .isEqualTo(400);
            HttpResponse<String> made = server.post(presign, "{\"name\":\"mine\",\"ttl_seconds\":600}", member);
            assertThat(made.statusCode()).isEqualTo(200);
            link = String.valueOf(dev.postern.json.JsonValue.parse(made.body().getBytes(StandardCharsets.UTF_8))
                    .string("url"));
            assertThat(server.post(link, "").body()).isEqualTo("mine-" + VALUE);
            assertThat(server.remembered).containsExactly("local {{vault:mine}}");
        }
        ByteArrayOutputStream exported = new ByteArrayOutputStream();
        try (LedgerReader ledger = LedgerReader.open(data)) {
            ledger.export(exported, LedgerFilter.ALL);
        }
        List<String> lines = exported.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).contains("\"tool\":\"link\"", "\"approver\":\"kim\"", "\"name\":\"mine\"");
        assertThat(lines.getLast()).contains("\"tool\":\"redeem\"", "\"made_by\":", ".password");
        String token = link.substring(link.lastIndexOf('/') + 1);
        assertThat(lines).noneMatch(line -> line.contains(token) || line.contains("Tr0ub4dor"));
    }

    private static void assertConfined(HttpResponse<String> answer) {
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(answer.headers().firstValue("X-Robots-Tag").orElse("")).contains("noindex");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }
}
