package dev.postern.mcp.conformance;

import dev.postern.mcp.conformance.Json.Failure;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The fixture as of 2026-07-28: every request stands alone. */
final class ModernSide implements AutoCloseable {
    /** How often a stream without messages shows that it is there. */
    private static final int HEARTBEAT_MILLIS = 50;

    static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
    static final String CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
    private static final String LOG_KEY = "io.modelcontextprotocol/logLevel";
    private static final String SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";
    private static final Set<String> CACHEABLE = Set.of(
            "tools/list",
            "prompts/list",
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "server/discover");

    private final Rounds rounds = new Rounds();
    private final Tasks tasks = new Tasks();
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private record Listener(Map<String, Object> filter, LinkedBlockingQueue<String> changes) {}

    /** One request, its parts at hand. */
    record Call(Wire wire, @Nullable Object id, String method, Map<String, Object> params) {
        Map<String, Object> meta() {
            return Json.object(params, "_meta");
        }

        Map<String, Object> capabilities() {
            return Json.object(meta(), CAPABILITIES_KEY);
        }

        Map<String, Object> arguments() {
            return Json.object(params, "arguments");
        }

        String name() {
            return Json.text(params, "name");
        }

        /** @throws Failure if the client did not declare a capability */
        void needs(String capability) {
            if (!capabilities().containsKey(capability)) {
                throw lacking(Map.of(capability, Map.of()));
            }
        }

        static Failure lacking(Map<String, Object> capabilities) {
            return new Failure(-32021, "the client lacks a capability", Map.of("requiredCapabilities", capabilities));
        }
    }

    void post(Wire wire, Map<String, Object> message) throws IOException {
        Object id = message.get("id");
        String method = Json.text(message, "method");
        if (id == null) {
            wire.status(202);
            return;
        }
        Call call = new Call(wire, id, method, Json.object(message, "params"));
        try {
            Headers.check(call);
            if (method.equals("subscriptions/listen")) {
                listen(call);
                return;
            }
            Map<String, Object> result = new LinkedHashMap<>(answer(call));
            result.putIfAbsent("resultType", "complete");
            if (CACHEABLE.contains(method)) {
                result.put("ttlMs", 0);
                result.put("cacheScope", "private");
            }
            wire.json(200, Json.result(id, result));
        } catch (Failure e) {
            wire.json(Headers.status(e), Json.error(id, e));
        }
    }

    private Map<String, Object> answer(Call call) throws IOException {
        Map<String, Object> list = Content.list(call.method());
        if (list != null) {
            return list;
        }
        Map<String, Object> found = switch (call.method()) {
            case "server/discover" -> discover();
            case "completion/complete" -> Content.completion();
            case "resources/read" -> Content.read(Json.text(call.params(), "uri"));
            case "prompts/get" ->
                call.name().equals("test_input_required_result_prompt")
                        ? rounds.prompt(call)
                        : Content.prompt(call.name(), call.arguments());
            case "tools/call" -> tool(call);
            case "tasks/get", "tasks/update", "tasks/cancel" -> tasks.answer(call);
            default -> throw new Failure(-32601, "no such method");
        };
        if (found == null) {
            throw new Failure(-32602, "no such name", Map.of("uri", Json.text(call.params(), "uri")));
        }
        return found;
    }

    private static Map<String, Object> discover() {
        Map<String, Object> capabilities = new LinkedHashMap<>();
        capabilities.put("tools", Map.of("listChanged", true));
        capabilities.put("prompts", Map.of("listChanged", true));
        capabilities.put("resources", Map.of("subscribe", true, "listChanged", true));
        capabilities.put("logging", Map.of());
        capabilities.put("completions", Map.of());
        capabilities.put("extensions", Map.of(Tasks.EXTENSION, Map.of()));
        return Map.of(
                "supportedVersions",
                Headers.supported(),
                "capabilities",
                capabilities,
                "_meta",
                Map.of("io.modelcontextprotocol/serverInfo", ConformanceServer.INFO));
    }

    private @Nullable Map<String, Object> tool(Call call) throws IOException {
        Map<String, Object> plain = Content.call(call.name());
        if (plain != null) {
            return plain;
        }
        Map<String, Object> round = rounds.tool(call);
        if (round != null) {
            return round;
        }
        return switch (call.name()) {
            case "test_tool_with_progress" -> {
                Object token = call.meta().get("progressToken");
                for (int done = 0; token != null && done <= 100; done += 50) {
                    call.wire()
                            .event(
                                    "",
                                    Json.notification(
                                            "notifications/progress",
                                            Map.of("progressToken", token, "progress", done, "total", 100)));
                }
                yield Content.text("progressed");
            }
            case "test_tool_with_logging", "test_logging_tool" -> {
                if (call.meta().containsKey(LOG_KEY)) {
                    call.wire()
                            .event(
                                    "",
                                    Json.notification(
                                            "notifications/message", Map.of("level", "info", "data", "at work")));
                }
                yield Content.text("logged");
            }
            case "test_missing_capability" -> {
                call.needs("sampling");
                yield Content.text("the client samples");
            }
            case "test_trigger_tool_change" -> {
                changed("toolsListChanged", "notifications/tools/list_changed");
                yield Content.text("changed");
            }
            case "test_trigger_prompt_change" -> {
                changed("promptsListChanged", "notifications/prompts/list_changed");
                yield Content.text("changed");
            }
            default -> tasks.tool(call);
        };
    }

    private void changed(String wish, String method) {
        for (Listener listener : listeners) {
            if (Boolean.TRUE.equals(listener.filter.get(wish))) {
                listener.changes.add(method);
            }
        }
    }

    private void listen(Call call) throws IOException {
        Map<String, Object> meta = Map.of(SUBSCRIPTION_KEY, String.valueOf(call.id()));
        Map<String, Object> filter = Json.object(call.params(), "notifications");
        Listener listener = new Listener(filter, new LinkedBlockingQueue<>());
        listeners.add(listener);
        try {
            call.wire()
                    .event(
                            "",
                            Json.notification(
                                    "notifications/subscriptions/acknowledged",
                                    Map.of("_meta", meta, "notifications", filter)));
            while (!closed) {
                String method = listener.changes.poll(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
                if (method == null) {
                    call.wire().comment();
                } else {
                    call.wire().event("", Json.notification(method, Map.of("_meta", meta)));
                }
            }
            call.wire().json(200, Json.result(call.id(), Map.of("resultType", "complete", "_meta", meta)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listeners.remove(listener);
        }
    }

    @Override
    public void close() {
        closed = true;
        tasks.close();
    }

    /** What the headers and the metadata of a request must be. */
    private static final class Headers {
        private static final List<String> NAMED =
                List.of("tools/call", "prompts/get", "resources/read", "tasks/get", "tasks/update", "tasks/cancel");

        static List<String> supported() {
            return List.of(
                    ConformanceServer.MODERN,
                    ConformanceServer.LEGACY_VERSIONS.get(0),
                    ConformanceServer.LEGACY_VERSIONS.get(1),
                    ConformanceServer.LEGACY_VERSIONS.get(2));
        }

        static int status(Failure failure) {
            return switch (failure.code()) {
                case -32601 -> 404;
                case -32020, -32021, -32022 -> 400;
                case -32602 -> failure.data().containsKey("meta") ? 400 : 200;
                default -> 200;
            };
        }

        static void check(Call call) {
            String version = Json.text(call.meta(), VERSION_KEY);
            if (version.isEmpty()) {
                throw new Failure(-32602, "_meta lacks the version", Map.of("meta", VERSION_KEY));
            }
            require(version.equals(call.wire().header("MCP-Protocol-Version")), "MCP-Protocol-Version");
            if (!version.equals(ConformanceServer.MODERN)) {
                throw new Failure(
                        -32022, "version not supported", Map.of("supported", supported(), "requested", version));
            }
            if (!(call.meta().get(CAPABILITIES_KEY) instanceof Map)) {
                throw new Failure(-32602, "_meta lacks the capabilities", Map.of("meta", CAPABILITIES_KEY));
            }
            require(call.method().equals(call.wire().header("Mcp-Method")), "Mcp-Method");
            if (NAMED.contains(call.method())) {
                String member = call.method().startsWith("tasks/")
                        ? "taskId"
                        : call.method().equals("resources/read") ? "uri" : "name";
                String header = call.wire().header("Mcp-Name");
                require(header != null && Json.text(call.params(), member).equals(decoded(header.strip())), "Mcp-Name");
            }
            if (call.name().equals("test_marked_parameter") && call.arguments().get("region") != null) {
                String header = call.wire().header("Mcp-Param-Region");
                require(
                        header != null
                                && String.valueOf(call.arguments().get("region"))
                                        .equals(decoded(header.strip())),
                        "Mcp-Param-Region");
            }
        }

        private static void require(boolean holds, String header) {
            if (!holds) {
                throw new Failure(-32020, "header mismatch: " + header);
            }
        }

        private static @Nullable String decoded(String value) {
            if (!value.startsWith("=?base64?") || !value.endsWith("?=")) {
                return value;
            }
            String coded = value.substring(9, value.length() - 2);
            try {
                return coded.length() % 4 == 0
                        ? new String(
                                java.util.Base64.getDecoder().decode(coded), java.nio.charset.StandardCharsets.UTF_8)
                        : null;
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }
}
