package dev.postern.mcp.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.LegacyAgent;
import dev.postern.mcp.fixture.MessageKinds;
import dev.postern.mcp.fixture.ModernClient;
import dev.postern.mcp.fixture.ScriptedServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
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
 * S1: no message of a server reaches an agent with a live value in it, whatever kind it is. The kinds are those of the
 * protocol's schemas, so that none is forgotten.
 */
class EveryMessageKindTest {
    private static final String LEGACY = "2025-11-25";
    private static final String MODERN = "2026-07-28";
    private static final String VALUE = "s3cr3t/V@lue-x9";
    private static final String BASE64 = Base64.getEncoder().encodeToString(VALUE.getBytes(StandardCharsets.UTF_8));
    private static final String PERCENT = URLEncoder.encode(VALUE, StandardCharsets.UTF_8);
    private static final String PLACEHOLDER = "{{vault:db}}";

    /** Members that fit anywhere: the value as text, in a member's name, in a URI, in base64, deep down. */
    private static final String TOLD = "\"_meta\":{\"x/y\":\"is " + VALUE + "\"},\"" + VALUE
            + "\":1,\"deep\":[[{\"uri\":\"x://h/" + PERCENT + "\"}]],\"b\":\"" + BASE64 + "\"";

    /** One kind of message, and how a server comes to say it. */
    record Kind(String version, String name, Says says) {
        @Override
        public String toString() {
            return version + " " + name;
        }
    }

    /** How: as the result of a method, or as a notification or request during a call. */
    sealed interface Says {
        record Result(String method, String params, String members) implements Says {}

        record Failure(String method, String params, String error) implements Says {}

        record Notification(String method, String params) implements Says {}

        record Request(String method) implements Says {}

        record Greeting() implements Says {}
    }

    static final List<Kind> KINDS = kinds();

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        for (String version : List.of(LEGACY, MODERN)) {
            result(
                    kinds,
                    version,
                    "ListResourcesResult",
                    "resources/list",
                    "",
                    "\"resources\":[{\"name\":\"r\",\"uri\":\"x://h\",T}],");
            result(
                    kinds,
                    version,
                    "ListResourceTemplatesResult",
                    "resources/templates/list",
                    "",
                    "\"resourceTemplates\":[{\"name\":\"r\",\"uriTemplate\":\"x://{h}\",T}],");
            result(
                    kinds,
                    version,
                    "ReadResourceResult",
                    "resources/read",
                    ",\"uri\":\"x://h\"",
                    "\"contents\":[{\"uri\":\"x://h\",\"text\":\"" + VALUE + "\",T}],");
            result(kinds, version, "ListPromptsResult", "prompts/list", "", "\"prompts\":[{\"name\":\"p\",T}],");
            result(
                    kinds,
                    version,
                    "GetPromptResult",
                    "prompts/get",
                    ",\"name\":\"p\"",
                    "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"" + VALUE + "\"}}],");
            result(
                    kinds,
                    version,
                    "ListToolsResult",
                    "tools/list",
                    "",
                    "\"tools\":[{\"name\":\"t\",\"description\":\"" + VALUE + "\",T}],");
            result(
                    kinds,
                    version,
                    "CallToolResult",
                    "tools/call",
                    ",\"name\":\"t\",\"arguments\":{}",
                    "\"content\":[{\"type\":\"text\",\"text\":\"" + VALUE
                            + "\"},{\"type\":\"resource_link\",\"name\":\"n\",\"uri\":\"x://" + PERCENT
                            + "\"}],\"structuredContent\":{T},");
            result(
                    kinds,
                    version,
                    "CompleteResult",
                    "completion/complete",
                    ",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}",
                    "\"completion\":{\"values\":[\"" + VALUE + "\"]},");
            kinds.add(new Kind(
                    version,
                    "JSONRPCErrorResponse",
                    new Says.Failure(
                            "tools/call",
                            ",\"name\":\"t\",\"arguments\":{}",
                            "{\"code\":-1,\"message\":\"" + VALUE + "\",\"data\":{" + TOLD + "}}")));
            for (String method : List.of(
                    "cancelled",
                    "progress",
                    "resources/list_changed",
                    "resources/updated",
                    "prompts/list_changed",
                    "tools/list_changed",
                    "message")) {
                notification(kinds, version, method);
            }
        }
        kinds.add(new Kind(LEGACY, "InitializeResult", new Says.Greeting()));
        kinds.add(new Kind(MODERN, "DiscoverResult", new Says.Greeting()));
        result(kinds, LEGACY, "Result", "resources/subscribe", ",\"uri\":\"x://h\"", "");
        for (String name : List.of("Get", "Cancel", "List")) {
            result(
                    kinds,
                    LEGACY,
                    name + (name.equals("List") ? "TasksResult" : "TaskResult"),
                    "tasks/" + name.toLowerCase(java.util.Locale.ROOT),
                    ",\"taskId\":\"1\"",
                    name.equals("List") ? "\"tasks\":[{\"taskId\":\"1\",T}]," : "\"statusMessage\":\"" + VALUE + "\",");
        }
        result(kinds, LEGACY, "GetTaskPayloadResult", "tasks/result", ",\"taskId\":\"1\"", "\"content\":[],");
        notification(kinds, LEGACY, "tasks/status");
        notification(kinds, LEGACY, "elicitation/complete");
        notification(kinds, MODERN, "subscriptions/acknowledged");
        result(kinds, MODERN, "Result", "x/unknown", "", "");
        result(kinds, MODERN, "SubscriptionsListenResult", "subscriptions/listen", ",\"notifications\":{}", "");
        result(
                kinds,
                MODERN,
                "InputRequiredResult",
                "tools/call",
                ",\"name\":\"t\",\"arguments\":{}",
                "\"resultType\":\"input_required\",\"requestState\":\"" + BASE64
                        + "\",\"inputRequests\":{\"a\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\""
                        + VALUE + "\"}}},");
        for (String method : List.of("sampling/createMessage", "roots/list", "elicitation/create")) {
            result(
                    kinds,
                    MODERN,
                    requestName(method),
                    "tools/call",
                    ",\"name\":\"t\",\"arguments\":{}",
                    "\"resultType\":\"input_required\",\"inputRequests\":{\"k " + VALUE + "\":{\"method\":\"" + method
                            + "\",\"params\":{T}}},");
        }
        for (String method : List.of(
                "ping",
                "tasks/get",
                "tasks/result",
                "tasks/cancel",
                "tasks/list",
                "sampling/createMessage",
                "roots/list",
                "elicitation/create")) {
            kinds.add(new Kind(LEGACY, requestName(method), new Says.Request(method)));
        }
        return List.copyOf(kinds);
    }

    private static void result(
            List<Kind> kinds, String version, String name, String method, String params, String members) {
        kinds.add(new Kind(version, name, new Says.Result(method, params, members.replace("T}", TOLD + "}") + TOLD)));
    }

    private static void notification(List<Kind> kinds, String version, String method) {
        String params = switch (method) {
            case "progress" -> "\"progressToken\":\"p\",\"progress\":1,\"message\":\"" + VALUE + "\",";
            case "cancelled" -> "\"requestId\":\"none\",\"reason\":\"" + VALUE + "\",";
            default -> "\"data\":\"" + VALUE + "\",\"uri\":\"x://" + PERCENT + "\",";
        };
        String name = Map.ofEntries(
                        Map.entry("cancelled", "Cancelled"),
                        Map.entry("progress", "Progress"),
                        Map.entry("resources/list_changed", "ResourceListChanged"),
                        Map.entry("resources/updated", "ResourceUpdated"),
                        Map.entry("prompts/list_changed", "PromptListChanged"),
                        Map.entry("tools/list_changed", "ToolListChanged"),
                        Map.entry("tasks/status", "TaskStatus"),
                        Map.entry("message", "LoggingMessage"),
                        Map.entry("elicitation/complete", "ElicitationComplete"),
                        Map.entry("subscriptions/acknowledged", "SubscriptionsAcknowledged"))
                .get(method);
        kinds.add(new Kind(
                version,
                name + "Notification",
                new Says.Notification("notifications/" + method, "{" + params + TOLD + "}")));
    }

    private static String requestName(String method) {
        return switch (method) {
            case "ping" -> "PingRequest";
            case "tasks/get" -> "GetTaskRequest";
            case "tasks/result" -> "GetTaskPayloadRequest";
            case "tasks/cancel" -> "CancelTaskRequest";
            case "tasks/list" -> "ListTasksRequest";
            case "sampling/createMessage" -> "CreateMessageRequest";
            case "roots/list" -> "ListRootsRequest";
            default -> "ElicitRequest";
        };
    }

    @Test
    @DisplayName("S1: the list is the protocol's list, in both eras")
    void noKindIsForgotten() {
        for (String version : List.of(LEGACY, MODERN)) {
            Set<String> published = new TreeSet<>(Set.of("JSONRPCErrorResponse"));
            for (String union : List.of("ServerResult", "ServerRequest", "ServerNotification", "InputRequest")) {
                published.addAll(MessageKinds.of(version, union));
            }
            assertThat(KINDS.stream()
                            .filter(kind -> kind.version.equals(version))
                            .map(Kind::name))
                    .containsExactlyInAnyOrderElementsOf(published);
        }
    }

    static Stream<Kind> everyKind() {
        return KINDS.stream();
    }

    @DisplayName("S1: through an endpoint of one server")
    @ParameterizedTest
    @MethodSource("everyKind")
    void aValueIsTakenOutOnItsOwnEndpoint(Kind kind) throws Exception {
        assertScrubbed(kind, "/mcp/s", "");
    }

    /** On the endpoint of all servers a subscription's stream is ours, and so is its end. */
    static Stream<Kind> everyKindAmongAll() {
        return KINDS.stream().filter(kind -> !kind.name.equals("SubscriptionsListenResult"));
    }

    @DisplayName("S1: through the endpoint of all servers")
    @ParameterizedTest
    @MethodSource("everyKindAmongAll")
    void aValueIsTakenOutAmongAllServers(Kind kind) throws Exception {
        assertScrubbed(kind, "/mcp", "s__");
    }

    private static void assertScrubbed(Kind kind, String path, String prefix) throws Exception {
        ScriptedServer server = server(kind);
        Map<String, ScriptedServer> servers = new LinkedHashMap<>(Map.of("s", server));
        try (Gateway gateway = Gateway.over(servers)) {
            gateway.addSecret("db", VALUE);
            String delivery = "\"name\":\"" + prefix + "t\",\"arguments\":{\"a\":\"" + PLACEHOLDER + "\"}";
            List<String> received;
            if (kind.version.equals(LEGACY)) {
                try (LegacyAgent deliverer = LegacyAgent.initialized(gateway, path)) {
                    deliverer.post(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{" + delivery + "}}");
                    assertThat(server.asked("tools/call").getFirst().params()).contains(VALUE);
                }
                script(server, kind);
                received = legacy(gateway, kind, path, prefix);
            } else {
                try (ModernClient client = new ModernClient(gateway, path)) {
                    client.send(client.request(client.message("tools/call", client.params("," + delivery))));
                    assertThat(server.asked("tools/call").getFirst().params()).contains(VALUE);
                    script(server, kind);
                    received = modern(client, kind, prefix);
                }
            }
            assertThat(received)
                    .isNotEmpty()
                    .noneMatch(message -> message.contains(VALUE))
                    .noneMatch(message -> message.contains(BASE64))
                    .noneMatch(message -> message.contains(PERCENT));
            boolean ours = kind.says instanceof Says.Greeting && path.equals("/mcp");
            boolean withdrawn = kind.name.equals("CancelledNotification") && kind.version.equals(LEGACY);
            if (!ours && !withdrawn) {
                assertThat(String.join("\n", received)).contains(PLACEHOLDER);
            }
        }
    }

    private static ScriptedServer server(Kind kind) {
        String capabilities =
                "{\"tools\":{},\"tasks\":{\"list\":{}},\"prompts\":{},\"resources\":{},\"completions\":{}}";
        String told = "{" + (kind.says instanceof Says.Greeting ? "\"experimental\":{" + TOLD + "}," : "")
                + capabilities.substring(1);
        return (kind.version.equals(LEGACY) ? ScriptedServer.legacy(told) : ScriptedServer.modern(told))
                .on("tools/call", "\"result\":{\"content\":[]}");
    }

    private static void script(ScriptedServer server, Kind kind) {
        switch (kind.says) {
            case Says.Result(String method, String params, String members) ->
                server.on(method, "\"result\":{" + members + "}");
            case Says.Failure(String method, String params, String error) -> server.on(method, "\"error\":" + error);
            case Says.Notification(String method, String params) ->
                server.on("tools/call", asked -> {
                    asked.notify(method, params);
                    return "\"result\":{\"content\":[]}";
                });
            case Says.Request(String method) ->
                server.on("tools/call", asked -> {
                    asked.ask("9", method, "{\"message\":\"" + VALUE + "\"," + TOLD + "}");
                    return "\"result\":{\"content\":[]}";
                });
            case Says.Greeting() -> {}
        }
    }

    private static List<String> legacy(Gateway gateway, Kind kind, String path, String prefix) throws Exception {
        try (LegacyAgent agent = new LegacyAgent(gateway.uri(path), Gateway.KEY)) {
            List<String> received =
                    new ArrayList<>(List.of(agent.initialize(LEGACY).body()));
            if (!(kind.says instanceof Says.Greeting)) {
                received.addAll(agent.converse(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method(kind) + "\",\"params\":{\"x\":1"
                                + params(kind, prefix) + "}}",
                        "{}"));
            }
            return received;
        }
    }

    private static List<String> modern(ModernClient client, Kind kind, String prefix) throws Exception {
        String method = kind.says instanceof Says.Greeting ? "server/discover" : method(kind);
        return LegacyAgent.messages(client.call(method, params(kind, prefix)));
    }

    private static String method(Kind kind) {
        return switch (kind.says) {
            case Says.Result result -> result.method;
            case Says.Failure failure -> failure.method;
            case Says.Notification _, Says.Request _, Says.Greeting _ -> "tools/call";
        };
    }

    private static String params(Kind kind, String prefix) {
        String params = switch (kind.says) {
            case Says.Result result -> result.params;
            case Says.Failure failure -> failure.params;
            case Says.Notification _, Says.Request _ -> ",\"name\":\"t\",\"arguments\":{}";
            case Says.Greeting _ -> "";
        };
        return params.replace("\"name\":\"t\"", "\"name\":\"" + prefix + "t\"")
                .replace("\"name\":\"p\"", "\"name\":\"" + prefix + "p\"");
    }
}
