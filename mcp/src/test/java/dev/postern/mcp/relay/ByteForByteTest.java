package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.MessageKinds;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import dev.postern.mcp.relay.EveryMessageKindTest.Kind;
import dev.postern.mcp.relay.EveryMessageKindTest.Says;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * S11, R8, R10: with no live value, a message of any kind leaves as it came, unknown members, odd numbers, white space,
 * escapes and names given twice included; only the id is the other side's, and a modern client's result has the members that
 * its revision demands.
 */
class ByteForByteTest {
    private static final String LEGACY = "2025-11-25";
    private static final String MODERN = "2026-07-28";

    /** What a typed model would lose or respell. */
    private static final String ODD =
            "\"x-odd\" : [ 1e400 ,1.0, -0, {\"a\":1,\"a\":2} , \"\\u0041\\/\\ud83d\\ude00\" ,\t{ } ]";

    /** What an agent says: a request, a notification, or the answer to a server's request. */
    record Said(String version, String name, String method, String params) {
        @Override
        public String toString() {
            return version + " " + name;
        }
    }

    private static final List<Said> REQUESTS = List.of(
            legacy("ListResourcesRequest", "resources/list", ""),
            legacy("ListResourceTemplatesRequest", "resources/templates/list", ""),
            legacy("ReadResourceRequest", "resources/read", "\"uri\":\"x:\\/\\/h\","),
            legacy("SubscribeRequest", "resources/subscribe", "\"uri\":\"x://h\","),
            legacy("UnsubscribeRequest", "resources/unsubscribe", "\"uri\":\"x://h\","),
            legacy("ListPromptsRequest", "prompts/list", ""),
            legacy("GetPromptRequest", "prompts/get", "\"name\":\"p\",\"arguments\":{ \"a\":\"{{vault:db}}\"},"),
            legacy("ListToolsRequest", "tools/list", ""),
            legacy("CallToolRequest", "tools/call", "\"name\":\"t\" ,\"arguments\": {\"n\":1e400,\"n\":1.0 },"),
            legacy("GetTaskRequest", "tasks/get", "\"taskId\":\"1\","),
            legacy("GetTaskPayloadRequest", "tasks/result", "\"taskId\":\"1\","),
            legacy("CancelTaskRequest", "tasks/cancel", "\"taskId\":\"1\","),
            legacy("ListTasksRequest", "tasks/list", ""),
            legacy("SetLevelRequest", "logging/setLevel", "\"level\":\"info\","),
            legacy("CompleteRequest", "completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},"),
            legacy("unknown", "x/unknown", ""),
            modern("ListResourcesRequest", "resources/list", ""),
            modern("ListResourceTemplatesRequest", "resources/templates/list", ""),
            modern("ReadResourceRequest", "resources/read", "\"uri\":\"x://h\","),
            modern("SubscriptionsListenRequest", "subscriptions/listen", "\"notifications\":{ \"x-y\":1},"),
            modern("ListPromptsRequest", "prompts/list", ""),
            modern("GetPromptRequest", "prompts/get", "\"name\":\"p\",\"arguments\":{ \"a\":\"{{vault:db}}\"},"),
            modern("ListToolsRequest", "tools/list", ""),
            modern("CallToolRequest", "tools/call", "\"name\":\"t\" ,\"arguments\": {\"n\":1e400,\"n\":1.0 },"),
            modern("CompleteRequest", "completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},"),
            modern("unknown", "x/unknown", ""));

    private static final List<Said> NOTIFICATIONS = List.of(
            legacy("ProgressNotification", "notifications/progress", "\"progressToken\":\"p\",\"progress\":1.50,"),
            legacy("TaskStatusNotification", "notifications/tasks/status", "\"taskId\":\"1\","),
            legacy("RootsListChangedNotification", "notifications/roots/list_changed", ""),
            legacy("unknown", "notifications/x", ""));

    private static final List<Said> ANSWERS = List.of(
            legacy("Result", "ping", ""),
            legacy("GetTaskResult", "tasks/get", "\"taskId\":\"1\","),
            legacy("GetTaskPayloadResult", "tasks/result", ""),
            legacy("CancelTaskResult", "tasks/cancel", "\"taskId\":\"1\","),
            legacy("ListTasksResult", "tasks/list", "\"tasks\":[ ],"),
            legacy("CreateMessageResult", "sampling/createMessage", "\"role\":\"assistant\","),
            legacy("ListRootsResult", "roots/list", "\"roots\":[ ],"),
            legacy("ElicitResult", "elicitation/create", "\"action\":\"accept\","));

    /** Each connection has these for itself: what an agent says of itself is shown to the server in its own handshake. */
    private static final Set<String> HANDSHAKE =
            Set.of("InitializeRequest", "InitializedNotification", "DiscoverRequest", "PingRequest");

    private static Said legacy(String name, String method, String members) {
        return new Said(LEGACY, name, method, "{ " + members + ODD + " }");
    }

    private static Said modern(String name, String method, String members) {
        return new Said(MODERN, name, method, members + ODD);
    }

    @Test
    void noKindOfTheAgentsIsForgotten() {
        for (String version : List.of(LEGACY, MODERN)) {
            Set<String> published = new TreeSet<>(MessageKinds.of(version, "ClientRequest"));
            published.addAll(MessageKinds.of(version, "ClientNotification"));
            published.addAll(MessageKinds.of(version, "ClientResult"));
            published.removeAll(HANDSHAKE);
            published.remove(
                    "CancelledNotification"); // its id is the other side's: SessionsTest, StdioConversationTest
            published.add("unknown");
            assertThat(Stream.of(REQUESTS, NOTIFICATIONS, ANSWERS)
                            .flatMap(List::stream)
                            .filter(said -> said.version.equals(version))
                            .map(Said::name)
                            .distinct())
                    .containsExactlyInAnyOrderElementsOf(published);
        }
    }

    @DisplayName("R8, R10: an agent's request")
    @ParameterizedTest
    @MethodSource("requests")
    void anAgentsRequestArrivesAsItWasSent(Said said) throws Exception {
        ScriptedServer server = server(said.version).on(said.method, "\"result\":{}");
        try (Gateway gateway = Gateway.over(Map.of("s", server))) {
            assertThat(paramsAtTheServer(gateway, "/mcp/s", server, said, said.params))
                    .endsWith(said.params + (said.version.equals(MODERN) ? "}" : ""));
        }
    }

    static Stream<Said> requests() {
        return REQUESTS.stream();
    }

    @DisplayName("R8, R10: an agent's request among all servers, but for the name")
    @ParameterizedTest
    @MethodSource("requestsByName")
    void onlyThePrefixIsTakenOffAmongAllServers(Said said) throws Exception {
        ScriptedServer server = server(said.version).on(said.method, "\"result\":{}");
        ScriptedServer other = server(said.version);
        String sent = said.params.replace("\"name\":\"", "\"name\":\"s__");
        try (Gateway gateway = Gateway.over(Map.of("s", server, "other", other))) {
            assertThat(paramsAtTheServer(gateway, "/mcp", server, said, sent))
                    .endsWith(said.params + (said.version.equals(MODERN) ? "}" : ""));
        }
    }

    static Stream<Said> requestsByName() {
        return REQUESTS.stream().filter(said -> said.params.contains("\"name\":"));
    }

    private static String paramsAtTheServer(
            Gateway gateway, String path, ScriptedServer server, Said said, String params) throws Exception {
        if (said.version.equals(LEGACY)) {
            try (LegacyAgent agent = LegacyAgent.initialized(gateway, path)) {
                agent.post(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + said.method + "\",\"params\":" + params + "}");
            }
        } else {
            try (ModernClient client = new ModernClient(gateway, path)) {
                client.call(said.method, "," + params);
            }
        }
        return server.asked(said.method).getFirst().params();
    }

    @DisplayName("R10: an agent's notification")
    @ParameterizedTest
    @MethodSource("notifications")
    void anAgentsNotificationArrivesAsItWasSent(Said said) throws Exception {
        ScriptedServer server = server(LEGACY).on("tools/list", "\"result\":{\"tools\":[]}");
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            agent.post("{\"jsonrpc\":\"2.0\",\"method\":\"" + said.method + "\",\"params\":" + said.params + "}");
            assertThat(server.told()).contains(said.method + " " + said.params);
        }
    }

    static Stream<Said> notifications() {
        return NOTIFICATIONS.stream();
    }

    @DisplayName("R10: an agent's answer to a server's request")
    @ParameterizedTest
    @MethodSource("answers")
    void anAgentsAnswerArrivesAsItWasSent(Said said) throws Exception {
        List<String> answers = new ArrayList<>();
        ScriptedServer server = server(LEGACY).on("tools/call", asked -> {
            answers.add(asked.ask("\"q-1\"", said.method, "{}"));
            return "\"result\":{\"content\":[]}";
        });
        try (Gateway gateway = Gateway.over(Map.of("s", server));
                LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
            agent.converse(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"arguments\":{}}}",
                    said.params);
            assertThat(answers).singleElement().asString().contains("\"result\":" + said.params);
        }
    }

    static Stream<Said> answers() {
        return ANSWERS.stream();
    }

    @DisplayName("S11: a server's message")
    @ParameterizedTest
    @MethodSource("everyKindOfAServers")
    void aServersMessageArrivesAsItWasSent(Kind kind) throws Exception {
        ScriptedServer server = server(kind.version()).on("tools/call", "\"result\":{\"content\":[]}");
        String expected = script(server, kind);
        try (Gateway gateway = Gateway.over(Map.of("s", server))) {
            String received;
            if (kind.version().equals(LEGACY)) {
                try (LegacyAgent agent = LegacyAgent.initialized(gateway, "/mcp/s")) {
                    received = String.join(
                            "\n",
                            agent.converse(
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method(kind)
                                            + "\",\"params\":{\"x\":1" + params(kind) + "}}",
                                    "{}"));
                }
            } else {
                try (ModernClient client = new ModernClient(gateway, "/mcp/s")) {
                    received = client.call(method(kind), params(kind)).body();
                }
            }
            assertThat(received).contains(expected);
        }
    }

    /** A greeting is given anew in each era; a withdrawal has the other side's id; a state is swapped. */
    static Stream<Kind> everyKindOfAServers() {
        return EveryMessageKindTest.KINDS.stream()
                .filter(kind -> !(kind.says() instanceof Says.Greeting))
                .filter(kind -> !(kind.version().equals(LEGACY) && kind.name().equals("CancelledNotification")))
                .filter(kind -> !kind.name().equals("SubscriptionsListenResult"));
    }

    /** Makes the server say it; returns what has to arrive. */
    private static String script(ScriptedServer server, Kind kind) {
        return switch (kind.says()) {
            case Says.Result(String method, String params, String members) -> {
                String odd = ODD + "," + members.replaceAll("\"requestState\":\"[^\"]*\",", "");
                server.on(method, "\"result\":{" + odd + "}");
                yield odd;
            }
            case Says.Failure(String method, String params, String error) -> {
                String odd = "{" + ODD + "," + error.substring(1);
                server.on(method, "\"error\":" + odd);
                yield odd;
            }
            case Says.Notification(String method, String params) -> {
                String odd = "{" + ODD + "," + params.substring(1, params.length() - 1);
                server.on("tools/call", asked -> {
                    asked.notify(method, odd + "}");
                    return "\"result\":{\"content\":[]}";
                });
                yield odd;
            }
            case Says.Request(String method) -> {
                String odd = "{ " + ODD + " }";
                server.on("tools/call", asked -> {
                    asked.ask("9", method, odd);
                    return "\"result\":{\"content\":[]}";
                });
                yield odd;
            }
            case Says.Greeting() -> throw new IllegalArgumentException("a greeting is given anew");
        };
    }

    private static String method(Kind kind) {
        return switch (kind.says()) {
            case Says.Result(String method, String params, String members) -> method;
            case Says.Failure(String method, String params, String error) -> method;
            default -> "tools/call";
        };
    }

    private static String params(Kind kind) {
        return switch (kind.says()) {
            case Says.Result(String method, String params, String members) -> params;
            case Says.Failure(String method, String params, String error) -> params;
            default -> ",\"name\":\"t\",\"arguments\":{}";
        };
    }

    private static ScriptedServer server(String version) {
        String capabilities =
                "{\"tools\":{},\"prompts\":{},\"resources\":{\"subscribe\":true},\"completions\":{},\"logging\":{}}";
        return version.equals(LEGACY) ? ScriptedServer.legacy(capabilities) : ScriptedServer.modern(capabilities);
    }
}
