package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Interfaces, "Agent side (MCP)", protocol 2026-07-28. */
class ModernHttpTest {
    private static final String TOOLS = "{\"tools\":{}}";
    private static final String ODD = "{\"n\": 1e400, \"n\": 1.0, \"s\":\"\\u0041\\/\",\n\t\"deep\":[ {} , [ ] ]}";

    private final ScriptedServer modern = ScriptedServer.modern(TOOLS)
            .on(
                    "tools/list",
                    "\"result\":{\"resultType\":\"complete\",\"tools\":[],\"ttlMs\": 7,\"cacheScope\":\"public\"}")
            .on(
                    "tools/call",
                    "\"result\":{\"resultType\":\"complete\",\"content\":[ ],\"structuredContent\":" + ODD + "}");
    private final ScriptedServer legacy = ScriptedServer.legacy(TOOLS)
            .on("tools/list", "\"result\":{ \"tools\":[{\"name\":\"t\"}]}")
            .on("tools/call", "\"result\":{\"content\":[ ]}")
            .on("resources/read", "\"error\":{\"code\": -32002,\"message\":\"not there\"}");

    @Test
    @DisplayName("R8: a call without references and its result are the same bytes on both sides")
    void aCallWithoutReferencesPassesByteForByte() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            String params = client.params(" ,\"name\":\"t\",\"arguments\": " + ODD + ", \"x\":1e400");
            HttpResponse<String> answer = client.send(client.request(client.message("tools/call", params)));
            assertThat(modern.asked("tools/call").getFirst().params()).isEqualTo(params);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[ ],"
                            + "\"structuredContent\":" + ODD + "}}");
        }
    }

    @Test
    void aLegacyServersResultsGetWhatThisEraDemandsAndKeepTheRest() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("l", legacy));
                ModernClient client = new ModernClient(gateway, "/mcp/l")) {
            assertThat(client.call("tools/list", "").body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,"
                            + "\"cacheScope\":\"private\", \"tools\":[{\"name\":\"t\"}]}}");
            assertThat(client.call("tools/call", ",\"name\":\"t\",\"arguments\":{}")
                            .body())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\", \"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[ ]}}");
            assertThat(client.call("resources/read", ",\"uri\":\"x:y\"").body())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\", \"id\":3,\"error\":{\"code\": -32602,\"message\":\"not there\"}}");
            assertThat(legacy.connections()).as("kept between requests").hasSize(1);
        }
    }

    @Test
    void discoveryShowsTheServerBehindTheEndpointInEitherEra() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("l", legacy, "m", modern));
                ModernClient one = new ModernClient(gateway, "/mcp/m");
                ModernClient old = new ModernClient(gateway, "/mcp/l");
                ModernClient all = new ModernClient(gateway, "/mcp")) {
            String versions = "\"supportedVersions\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\"]";
            assertThat(one.call("server/discover", "").body())
                    .contains(versions, "\"capabilities\":" + TOOLS, "\"ttlMs\":5,\"cacheScope\":\"public\"");
            assertThat(old.call("server/discover", "").body())
                    .contains(versions, "\"capabilities\":" + TOOLS, "\"ttlMs\":0,\"cacheScope\":\"private\"")
                    .contains("\"io.modelcontextprotocol/serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}")
                    .contains("\"resultType\":\"complete\"");
            assertThat(all.call("server/discover", "").body()).contains(versions, "\"name\":\"postern\"");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Mcp-Method, tools/list, -32020",
        "Mcp-Method, '', -32020",
        "Mcp-Name, other, -32020",
        "Mcp-Name, '', -32020",
        "Mcp-Name, =?base64?!!?=, -32020",
        "MCP-Protocol-Version, 2025-11-25, -32020",
    })
    void aHeaderThatDoesNotSayWhatTheBodySaysIsRefused(String header, String value, String code) throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            HttpRequest.Builder request =
                    client.request(client.message("tools/call", client.params(",\"name\":\"t\",\"arguments\":{}")));
            HttpResponse<String> answer = client.send(request.setHeader(header, value));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("\"id\":1", "\"code\":" + code, header);
            assertThat(modern.asked()).isEmpty();
        }
    }

    @Test
    void anEncodedNameIsComparedDecoded() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            HttpRequest.Builder request =
                    client.request(client.message("tools/call", client.params(",\"name\":\"t\",\"arguments\":{}")));
            assertThat(client.send(request.setHeader("Mcp-Name", "=?base64?dA==?="))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void anUnknownRevisionIsAnsweredWithThoseThatAreSpoken() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            String message = client.message("tools/list", client.params("")).replace("2026-07-28", "2031-01-01");
            HttpResponse<String> answer =
                    client.send(client.request(message).setHeader("MCP-Protocol-Version", "2031-01-01"));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body())
                    .contains("\"code\":-32022", "\"supported\":[\"2026-07-28\",", "\"requested\":\"2031-01-01\"");
        }
    }

    @Test
    void aRequestWithoutTheRequiredMetadataIsRefused() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            HttpResponse<String> answer = client.send(client.request(client.message("tools/list", "{}")));
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("\"code\":-32602", "protocolVersion");
            String without = client.message("tools/list", client.params(""))
                    .replace("\"io.modelcontextprotocol/clientCapabilities\":{}", "\"x\":1");
            assertThat(client.send(client.request(without)).body()).contains("\"code\":-32602", "clientCapabilities");
        }
    }

    @Test
    void unknownAndDroppedMethodsAreNotFound() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("m", modern, "l", legacy));
                ModernClient one = new ModernClient(gateway, "/mcp/m");
                ModernClient old = new ModernClient(gateway, "/mcp/l");
                ModernClient all = new ModernClient(gateway, "/mcp")) {
            for (ModernClient client : new ModernClient[] {one, all}) {
                HttpResponse<String> answer = client.call("no/such", "");
                assertThat(answer.statusCode()).isEqualTo(404);
                assertThat(answer.body()).contains("\"code\":-32601");
            }
            assertThat(modern.asked("no/such")).as("it might be an extension").hasSize(1);
            legacy.on("logging/setLevel", "\"result\":{}");
            assertThat(old.call("logging/setLevel", ",\"level\":\"info\"").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void progressComesBeforeTheAnswerOnTheSameStream() throws Exception {
        modern.on("tools/call", asked -> {
            asked.notify("notifications/progress", "{\"progressToken\":\"p\",\"progress\":1, \"x\":1e400}");
            return "\"result\":{\"resultType\":\"complete\",\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("m", modern));
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            HttpResponse<String> answer = client.call("tools/call", ",\"name\":\"t\",\"arguments\":{}");
            assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
            assertThat(answer.headers().firstValue("X-Accel-Buffering")).contains("no");
            assertThat(LegacyAgent.messages(answer))
                    .containsExactly(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                                    + "{\"progressToken\":\"p\",\"progress\":1, \"x\":1e400}}",
                            "{\"jsonrpc\":\"2.0\", \"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[]}}");
        }
    }

    @Test
    void closingTheResponseStreamCancelsTheRequest() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        modern.on("tools/call", asked -> {
            asked.notify("notifications/progress", "{\"progressToken\":\"p\",\"progress\":1}");
            asked.cancellation().onFire(cancelled::countDown);
            started.countDown();
            await(cancelled);
            return "\"result\":{}";
        });
        McpSettings quick = new McpSettings(1 << 20, java.time.Duration.ofMillis(50), 10);
        try (Gateway gateway = Gateway.over(Map.of("m", modern), dev.postern.mcp.relay.RelaySettings.DEFAULTS, quick);
                ModernClient client = new ModernClient(gateway, "/mcp/m")) {
            HttpResponse<?> answer = client.stream(
                    client.request(client.message("tools/call", client.params(",\"name\":\"t\",\"arguments\":{}"))));
            assertThat(answer.statusCode()).isEqualTo(200);
            await(started);
            client.close();
            await(cancelled);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
