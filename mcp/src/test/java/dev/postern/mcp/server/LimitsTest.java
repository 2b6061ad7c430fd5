package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.mcp.client.ServerConnector;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.relay.RelaySettings;
import dev.postern.testkit.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one agent, or one server, can take of the gateway: each limit says what it is and harms nobody else. */
@Timeout(600)
class LimitsTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final String NOTIFICATION = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";
    private static final McpSettings USUAL = McpSettings.DEFAULTS;

    private final ScriptedServer server =
            ScriptedServer.legacy("{\"tools\":{}}").on("tools/call", "\"result\":{\"content\":[]}");

    private Gateway gateway(McpSettings limits) throws Exception {
        return Gateway.over(Map.of("s", server), RelaySettings.DEFAULTS, limits);
    }

    private static String call(int id, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id
                + ",\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":" + arguments + "}}";
    }

    @Test
    @DisplayName("R7: a message that nests too deep is refused, whoever sends it")
    void aMessageThatNestsTooDeepIsRefused() throws Exception {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        try (Gateway gateway = gateway(USUAL);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            HttpResponse<String> refused = agent.post(call(1, "{\"a\":" + deep + "}"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("nests deeper than").doesNotContain("[[[");
            server.on("tools/call", "\"result\":{\"content\":[],\"deep\":" + deep + "}");
            assertThat(agent.post(call(2, "{}")).body())
                    .contains("VAULT_SCRUB_FAILED")
                    .doesNotContain("[[[");
            server.on("tools/call", "\"result\":{\"content\":[]}");
            assertThat(agent.post(call(3, "{}")).body()).contains("\"content\":[]");
        }
    }

    /** The params and arguments of a call are two levels of it, the result and a member of it two of an answer. */
    @ParameterizedTest
    @CsvSource({"509,false", "510,true"})
    @DisplayName("R7: 512 levels are not too deep, and one more is, from either side")
    void fiveHundredAndTwelveLevelsMayBe(int further, boolean tooDeep) throws Exception {
        String deep = "[".repeat(further) + "]".repeat(further);
        try (Gateway gateway = gateway(USUAL);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            HttpResponse<String> asked = agent.post(call(1, "{\"a\":" + deep + "}"));
            assertThat(asked.statusCode()).isEqualTo(tooDeep ? 400 : 200);
            server.on("tools/call", "\"result\":{\"content\":[],\"deep\":[" + deep + "]}");
            assertThat(agent.post(call(2, "{}")).body().contains("VAULT_SCRUB_FAILED"))
                    .isEqualTo(tooDeep);
        }
    }

    @Test
    void anAgentThatSendsTooFastIsToldToSlowDown() throws Exception {
        AtomicLong nanos = new AtomicLong();
        McpSettings slow = new McpSettings(USUAL.maxBodyBytes(), USUAL.heartbeat(), 100, 100, 5);
        try (Gateway gateway = Gateway.over(Map.of("s", server), slow, nanos::get, McpServer.IDLE);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            for (int i = 0; i < 8; i++) { // two were for the handshake
                assertThat(agent.post(PING).statusCode()).isEqualTo(200);
            }
            HttpResponse<String> refused = agent.post(PING);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(refused.body()).contains("more than 5 requests a second");
            assertThat(other.initialize("2025-11-25").statusCode()).isEqualTo(200);
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            for (int i = 0; i < 5; i++) {
                assertThat(agent.post(PING).statusCode()).isEqualTo(200);
            }
            assertThat(agent.post(PING).statusCode()).isEqualTo(429);
        }
    }

    @Test
    void anAgentCannotHaveMoreSessionsThanItsShare() throws Exception {
        McpSettings few = new McpSettings(USUAL.maxBodyBytes(), USUAL.heartbeat(), 100, 1, 1_000);
        try (Gateway gateway = gateway(few);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                LegacyAgent second = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY);
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            HttpResponse<String> refused = second.initialize("2025-11-25");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).contains("1 sessions open", "DELETE");
            assertThat(other.initialize("2025-11-25").statusCode()).isEqualTo(200);
            agent.send(agent.request().DELETE());
            assertThat(second.initialize("2025-11-25").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-06-18", "2025-11-25"})
    void aRequestKeepsItsPlaceUntilItEndsEvenIfItsConnectionBroke(String version) throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        server.on("tools/call", asked -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "\"result\":{\"content\":[]}";
        });
        McpSettings one = new McpSettings(USUAL.maxBodyBytes(), Duration.ofMillis(20), 1, 10, 1_000_000);
        try (Gateway gateway = gateway(one);
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY);
                LegacyAgent other = new LegacyAgent(gateway.uri("/mcp/s"), gateway.addAgent("other"))) {
            agent.initialize(version);
            try (HttpClient http = HttpClient.newHttpClient()) {
                http.send(
                        agent.request()
                                .POST(BodyPublishers.ofString(call(1, "{}")))
                                .build(),
                        BodyHandlers.ofInputStream());
                http.shutdownNow();
            }
            Await.until(
                    "the gateway has noticed that the connection broke",
                    () -> agent.post(NOTIFICATION).statusCode() != 429);
            HttpResponse<String> refused = agent.post(PING);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
            assertThat(refused.body()).contains("1 requests under way");
            assertThat(other.initialize("2025-11-25").statusCode()).isEqualTo(200);
            assertThat(other.post(PING).statusCode()).isEqualTo(200);
            goOn.countDown();
            Await.until("its place is free", () -> agent.post(PING).statusCode() == 200);
        }
    }

    /** Whoever has read an answer to its end may ask again at once, however long the gateway takes to be through with it. */
    @Test
    void whoHasReadAnAnswerFindsItsPlaceFree() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean lingering = new AtomicBoolean();
        McpSettings one =
                new McpSettings(USUAL.maxBodyBytes(), Duration.ofSeconds(30), 1, 10, 1_000_000, Duration.ofMinutes(1));
        ServerConnector none = (spec, face, listener) -> {
            throw new UpstreamException(UpstreamException.Kind.FAILED, "no such server");
        };
        try (Gateway gateway = Gateway.over(
                        none,
                        Map.of(),
                        0,
                        inner -> new Lingering(inner, lingering, goOn),
                        RelaySettings.DEFAULTS,
                        one,
                        Duration.ofSeconds(60));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp");
                LegacyAgent same = new LegacyAgent(gateway.uri("/mcp"), Gateway.KEY)) {
            same.session(agent.session());
            lingering.set(true);
            assertThat(agent.post(PING).statusCode()).isEqualTo(200);
            assertThat(lingering).isFalse();
            HttpResponse<String> next = same.post(PING);
            goOn.countDown();
            assertThat(next.statusCode()).isEqualTo(200);
        }
    }

    /** Writes a response's end, and then does not return for a while. */
    private static final class Lingering extends Handler.Wrapper {
        private final AtomicBoolean once;
        private final CountDownLatch goOn;

        Lingering(Handler inner, AtomicBoolean once, CountDownLatch goOn) {
            super(inner);
            this.once = once;
            this.goOn = goOn;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            return super.handle(
                    request,
                    new Response.Wrapper(request, response) {
                        @Override
                        public void write(boolean last, ByteBuffer bytes, Callback written) {
                            super.write(last, bytes, written);
                            if (last && once.getAndSet(false)) {
                                try {
                                    goOn.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            }
                        }
                    },
                    callback);
        }
    }

    /** Of a batch every request counts. */
    @Test
    void aBatchTakesAsManyPlacesAsItHasRequests() throws Exception {
        McpSettings two = new McpSettings(USUAL.maxBodyBytes(), USUAL.heartbeat(), 2, 10, 1_000_000);
        try (Gateway gateway = gateway(two);
                LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY)) {
            agent.initialize("2025-03-26");
            assertThat(agent.post("[" + PING + "," + call(2, "{}") + "," + NOTIFICATION + "]")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(agent.post("[" + PING + "," + call(2, "{}") + "," + call(3, "{}") + "]")
                            .statusCode())
                    .isEqualTo(429);
            assertThat(agent.post("[" + PING + "," + call(2, "{}") + "]").statusCode())
                    .isEqualTo(200);
        }
    }

    /** What counts is what is open, however many come at once. */
    @Test
    void ofManySessionsOpenedAtOnceAsManyAreThereAsMayBe() throws Exception {
        int most = 5;
        McpSettings few = new McpSettings(USUAL.maxBodyBytes(), USUAL.heartbeat(), 1_000, most, 1_000_000);
        try (Gateway gateway = gateway(few);
                ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 5; round++) {
                CountDownLatch go = new CountDownLatch(1);
                List<Future<LegacyAgent>> opening = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    opening.add(each.submit(() -> {
                        LegacyAgent agent = new LegacyAgent(gateway.uri("/mcp/s"), Gateway.KEY);
                        go.await();
                        int status = agent.initialize("2025-11-25").statusCode();
                        assertThat(status).isIn(200, 429);
                        return agent;
                    }));
                }
                go.countDown();
                // All have been told before the first one ends, which would make room for another.
                List<LegacyAgent> agents = new ArrayList<>();
                for (Future<LegacyAgent> future : opening) {
                    agents.add(future.get());
                }
                assertThat(gateway.handler().openSessions()).isEqualTo(most);
                int opened = 0;
                for (LegacyAgent agent : agents) {
                    try (agent) {
                        if (agent.session() != null) {
                            opened++;
                            agent.send(agent.request().DELETE());
                        }
                    }
                }
                assertThat(opened).isEqualTo(most);
                assertThat(gateway.handler().openSessions()).isZero();
            }
        }
    }

    /** Many requests that are served at once, each until all of them are answered or refused. */
    @Test
    void ofManyRequestsAtOnceAsManyAreServedAsMayBe() throws Exception {
        int most = 5;
        int many = 40;
        CountDownLatch refused = new CountDownLatch(many - most);
        server.on("tools/call", asked -> {
            try {
                refused.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "\"result\":{\"content\":[]}";
        });
        McpSettings few = new McpSettings(USUAL.maxBodyBytes(), USUAL.heartbeat(), most, 10, 1_000_000);
        try (Gateway gateway = gateway(few);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s");
                ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                int id = i;
                calls.add(each.submit(() -> {
                    int status = agent.post(call(id, "{}")).statusCode();
                    if (status == 429) {
                        refused.countDown();
                    }
                    return status;
                }));
            }
            int served = 0;
            for (Future<Integer> call : calls) {
                served += call.get() == 200 ? 1 : 0;
            }
            assertThat(served).isEqualTo(most);
        }
    }

    @ParameterizedTest
    @CsvSource({"6000,200", "8192,431", "65536,431"})
    void headersThatAreTooLargeAreRefused(int bytes, int status) throws Exception {
        try (Gateway gateway = gateway(USUAL);
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            HttpResponse<String> answer = agent.send(
                    agent.request().header("X-Large", "y".repeat(bytes)).POST(BodyPublishers.ofString(PING)));
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.body()).doesNotContain("yyy");
            assertThat(agent.post(PING).statusCode()).isEqualTo(200);
        }
    }
}
