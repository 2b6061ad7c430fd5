package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.testkit.Await;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 2026-07-28, "Caching": lists are kept for as long, and for whom, as the servers say. */
class ListCachingTest {
    private static final String LIST = "tools/list";

    private static ScriptedServer listing(String ttlMillis, String scope) {
        return ScriptedServer.modern("{\"tools\":{\"listChanged\":true}}").on(LIST, result(ttlMillis, scope));
    }

    private static String result(String ttlMillis, String scope) {
        return "\"result\":{\"resultType\":\"complete\",\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}],"
                + "\"ttlMs\":" + ttlMillis + ",\"cacheScope\":\"" + scope + "\"}";
    }

    private static JsonValue list(ModernClient client) throws Exception {
        return list(client, "");
    }

    private static JsonValue list(ModernClient client, String members) throws Exception {
        HttpResponse<String> response = client.call(LIST, members);
        JsonValue result = JsonValue.parse(response.body().getBytes(StandardCharsets.UTF_8))
                .member("result");
        if (result == null) {
            throw new AssertionError("no result: " + response.body());
        }
        return result;
    }

    private static long ttl(JsonValue result) {
        JsonValue ttl = result.member("ttlMs");
        return ttl == null ? -1 : Long.parseLong(ttl.spelling());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mcp", "/mcp/a"})
    void aFreshListIsNotAskedForAgainAndTellsHowMuchOfItsTimeIsLeft(String path) throws Exception {
        ScriptedServer server = listing("3600000", "private");
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, path)) {
            assertThat(ttl(list(client))).isEqualTo(3_600_000);
            assertThat(ttl(list(client))).isBetween(1L, 3_600_000L);
            assertThat(server.asked(LIST)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "\"3600000\"", "null", "1e-3"})
    void aListThatIsStaleAtOnceIsAskedForEachTime(String ttl) throws Exception {
        ScriptedServer server = listing(ttl, "public");
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, "/mcp/a")) {
            list(client);
            list(client);
            assertThat(server.asked(LIST)).hasSize(2);
        }
    }

    @Test
    void aListIsAskedForAgainOnceItsTimeIsOver() throws Exception {
        ScriptedServer server = listing("1", "private");
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, "/mcp/a")) {
            Await.until("the list is asked for again", () -> {
                list(client);
                return server.asked(LIST).size() == 2;
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"private,2", "public,1", "anything,2"})
    @DisplayName("what a server calls private is never given to another agent; what it calls public is asked for once")
    void oneAgentsPrivateListIsNeverAnothers(String scope, int times) throws Exception {
        ScriptedServer server = listing("3600000", scope);
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient one = new ModernClient(gateway, "/mcp/a");
                ModernClient two = new ModernClient(gateway, "/mcp/a").as(gateway.addAgent("other"))) {
            list(one);
            list(two);
            list(one);
            list(two);
            assertThat(server.asked(LIST)).hasSize(times);
        }
    }

    @Test
    void clientsWithOtherCapabilitiesMayBeOfferedSomethingElse() throws Exception {
        ScriptedServer server = listing("3600000", "public");
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient one = new ModernClient(gateway, "/mcp/a");
                ModernClient two = new ModernClient(gateway, "/mcp/a").can("{\"sampling\":{}}")) {
            list(one);
            list(two);
            assertThat(server.asked(LIST)).hasSize(2);
        }
    }

    @Test
    void eachPageIsKeptByItsCursorAndUnknownParamsAreAlwaysPassedOn() throws Exception {
        ScriptedServer server = listing("3600000", "public");
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, "/mcp/a")) {
            for (String members : new String[] {"", ",\"cursor\":\"2\"", ",\"cursor\":\"3\""}) {
                list(client, members);
                list(client, members);
            }
            assertThat(server.asked(LIST)).hasSize(3);
            list(client, ",\"filter\":\"x\"");
            list(client, ",\"filter\":\"x\"");
            assertThat(server.asked(LIST)).hasSize(5);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"private", "public"})
    void aChangeEndsWhatIsLeftOfItsTime(String scope) throws Exception {
        ScriptedServer server = listing("3600000", scope);
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, "/mcp/a")) {
            list(client);
            server.lastConnection().say("notifications/prompts/list_changed", "{}", null);
            list(client);
            assertThat(server.asked(LIST)).hasSize(1);
            server.lastConnection().say("notifications/tools/list_changed", "{}", null);
            list(client);
            assertThat(server.asked(LIST)).hasSize(2);
        }
    }

    @Test
    void aChangeWhileAListIsOnItsWayKeepsThatListOutOfMemory() throws Exception {
        ScriptedServer server = listing("3600000", "public").on(LIST, asked -> {
            asked.connection().say("notifications/tools/list_changed", "{}", null);
            return result("3600000", "public");
        });
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, "/mcp/a")) {
            list(client);
            list(client);
            assertThat(server.asked(LIST)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"private", "public"})
    void aServerInAnotherShapeIsAskedAnew(String scope) throws Exception {
        ScriptedServer server = listing("3600000", scope);
        ScriptedServer other = listing("3600000", scope);
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, "/mcp/a")) {
            list(client);
            gateway.configure("a", other);
            list(client);
            assertThat(other.asked(LIST)).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "60000,public,5000,public,5000,public",
        "60000,public,5000,private,5000,private",
        "0,private,5000,public,0,private"
    })
    @DisplayName(
            "a merged list is fresh for the shortest of the times, and as private as the most private of its parts")
    void aMergedListIsAsFreshAsItsLeastFreshPart(
            String ttl, String scope, String otherTtl, String otherScope, long merged, String mergedScope)
            throws Exception {
        Map<String, ScriptedServer> servers = new LinkedHashMap<>();
        servers.put("a", listing(ttl, scope));
        servers.put("b", listing(otherTtl, otherScope));
        servers.put("c", ScriptedServer.modern("{\"prompts\":{}}"));
        try (Gateway gateway = Gateway.over(servers);
                ModernClient client = new ModernClient(gateway, "/mcp")) {
            JsonValue result = list(client);
            assertThat(ttl(result)).isEqualTo(merged);
            assertThat(result.string("cacheScope")).isEqualTo(mergedScope);
        }
    }

    @Test
    void aMergedListThatLacksAServerIsStaleAtOnce() throws Exception {
        Map<String, ScriptedServer> servers = new LinkedHashMap<>();
        servers.put("a", listing("60000", "public"));
        ScriptedServer down = listing("60000", "public");
        down.breakDown("it is down");
        servers.put("b", down);
        servers.put("old", ScriptedServer.legacy("{}"));
        try (Gateway gateway = Gateway.over(servers);
                ModernClient client = new ModernClient(gateway, "/mcp")) {
            assertThat(ttl(list(client))).isZero();
            down.breakDown(null);
            assertThat(ttl(list(client))).isBetween(1L, 60_000L);
        }
    }

    @Test
    @DisplayName("S1, S9: a list in memory is scrubbed for whoever gets it, as it is got")
    void aKeptListIsScrubbedAsItIsGivenOut() throws Exception {
        ScriptedServer server = ScriptedServer.modern("{\"tools\":{}}")
                .on(
                        LIST,
                        "\"result\":{\"resultType\":\"complete\",\"tools\":[{\"name\":\"t\",\"description\":\"uses "
                                + "hunter2-hunter2\",\"inputSchema\":{\"type\":\"object\"}}],\"ttlMs\":3600000,\"cacheScope\":\"public\"}")
                .on("tools/call", "\"result\":{\"resultType\":\"complete\",\"content\":[]}");
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                ModernClient client = new ModernClient(gateway, "/mcp/a")) {
            gateway.addSecret("pw", "hunter2-hunter2");
            assertThat(list(client).spelling()).contains("hunter2-hunter2");
            client.call("tools/call", ",\"name\":\"t\",\"arguments\":{\"a\":\"{{vault:pw}}\"}");
            assertThat(list(client).spelling()).contains("{{vault:pw}}").doesNotContain("hunter2-hunter2");
        }
    }

    @Test
    void aLegacyClientOfAModernServerProfitsToo() throws Exception {
        ScriptedServer server = listing("3600000", "private");
        try (Gateway gateway = Gateway.over(Map.of("a", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp")) {
            for (int id = 1; id <= 2; id++) {
                String answer = agent.post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/list\"}")
                        .body();
                assertThat(answer).contains("a__t").doesNotContain("ttlMs");
            }
            assertThat(server.asked(LIST)).hasSize(1);
        }
    }
}
