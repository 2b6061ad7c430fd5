package dev.postern.mcp.conformance;

import dev.postern.mcp.conformance.Json.Failure;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The fixture as of 2025-11-25: sessions, requests to the client, streams that are taken up again. */
final class LegacySide implements AutoCloseable {
    private static final String SESSION = "Mcp-Session-Id";
    /** How often a stream without messages shows that it is there. */
    private static final int HEARTBEAT_MILLIS = 50;

    private final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private static final class Session {
        private final Map<String, CompletableFuture<Map<String, Object>>> asked = new ConcurrentHashMap<>();
        private final Map<String, CompletableFuture<Map<String, Object>>> interrupted = new ConcurrentHashMap<>();
        private final AtomicInteger ids = new AtomicInteger();
    }

    void post(Wire wire, Map<String, Object> message) throws IOException {
        Object id = message.get("id");
        String method = Json.text(message, "method");
        if (method.equals("initialize")) {
            String session = UUID.randomUUID().toString();
            sessions.put(session, new Session());
            wire.responseHeader(SESSION, session);
            wire.json(200, Json.result(id, greeting(Json.object(message, "params"))));
            return;
        }
        Session session = session(wire);
        if (session == null) {
            return;
        }
        if (method.isEmpty()) {
            CompletableFuture<Map<String, Object>> waiting = session.asked.remove(String.valueOf(id));
            if (waiting != null) {
                waiting.complete(message);
            }
            wire.status(202);
        } else if (id == null) {
            wire.status(202);
        } else if (Json.text(Json.object(message, "params"), "name").equals("test_reconnection")) {
            interrupt(wire, session, id);
        } else {
            try {
                wire.json(200, Json.result(id, answer(wire, session, method, Json.object(message, "params"))));
            } catch (Failure e) {
                wire.json(200, Json.error(id, e));
            }
        }
    }

    private static Map<String, Object> greeting(Map<String, Object> params) {
        String asked = Json.text(params, "protocolVersion");
        Map<String, Object> capabilities = new LinkedHashMap<>();
        capabilities.put("tools", Map.of("listChanged", true));
        capabilities.put("prompts", Map.of("listChanged", true));
        capabilities.put("resources", Map.of("subscribe", true, "listChanged", true));
        capabilities.put("logging", Map.of());
        capabilities.put("completions", Map.of());
        return Map.of(
                "protocolVersion",
                ConformanceServer.LEGACY_VERSIONS.contains(asked)
                        ? asked
                        : ConformanceServer.LEGACY_VERSIONS.getFirst(),
                "capabilities",
                capabilities,
                "serverInfo",
                ConformanceServer.INFO);
    }

    private @Nullable Session session(Wire wire) throws IOException {
        String id = wire.header(SESSION);
        Session session = id == null ? null : sessions.get(id);
        if (session == null) {
            wire.status(id == null ? 400 : 404);
        }
        return session;
    }

    private Map<String, Object> answer(Wire wire, Session session, String method, Map<String, Object> params)
            throws IOException {
        Map<String, Object> list = Content.list(method);
        if (list != null) {
            return list;
        }
        Map<String, Object> found = switch (method) {
            case "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe" -> Map.of();
            case "completion/complete" -> Content.completion();
            case "resources/read" -> {
                Map<String, Object> read = Content.read(Json.text(params, "uri"));
                if (read == null) {
                    throw new Failure(-32002, "no such resource");
                }
                yield read;
            }
            case "prompts/get" -> Content.prompt(Json.text(params, "name"), Json.object(params, "arguments"));
            case "tools/call" -> call(wire, session, params);
            default -> throw new Failure(-32601, "no such method");
        };
        if (found == null) {
            throw new Failure(-32602, "no such name");
        }
        return found;
    }

    private static @Nullable Map<String, Object> call(Wire wire, Session session, Map<String, Object> params)
            throws IOException {
        Map<String, Object> arguments = Json.object(params, "arguments");
        String tool = Json.text(params, "name");
        return switch (tool) {
            case "test_tool_with_logging" -> {
                for (String text :
                        List.of("Tool execution started", "Tool processing data", "Tool execution completed")) {
                    wire.event("", Json.notification("notifications/message", Map.of("level", "info", "data", text)));
                }
                yield Content.text("logged");
            }
            case "test_tool_with_progress" -> {
                Object token = Json.object(params, "_meta").get("progressToken");
                for (int done = 0; token != null && done <= 100; done += 50) {
                    wire.event(
                            "",
                            Json.notification(
                                    "notifications/progress",
                                    Map.of("progressToken", token, "progress", done, "total", 100)));
                }
                yield Content.text("progressed");
            }
            case "test_sampling" -> {
                Map<String, Object> answer = ask(
                        wire, session, "sampling/createMessage", Content.sampling(Json.text(arguments, "prompt"), 100));
                yield Content.text(
                        "LLM response: " + Json.text(Json.object(Json.object(answer, "result"), "content"), "text"));
            }
            case "test_elicitation" ->
                elicited(ask(
                        wire,
                        session,
                        "elicitation/create",
                        Content.elicitation(
                                Json.text(arguments, "message"),
                                Map.of(
                                        "username", Map.of("type", "string", "description", "User's response"),
                                        "email", Map.of("type", "string", "description", "User's email address")),
                                "username",
                                "email")));
            case "test_elicitation_sep1034_defaults" ->
                elicited(ask(wire, session, "elicitation/create", Content.elicitation("Defaults", Choices.DEFAULTS)));
            case "test_elicitation_sep1330_enums" ->
                elicited(ask(wire, session, "elicitation/create", Content.elicitation("Choices", Choices.ENUMS)));
            default -> Content.call(tool);
        };
    }

    private static Map<String, Object> elicited(Map<String, Object> answer) {
        Map<String, Object> result = Json.object(answer, "result");
        return Content.text("Elicitation completed: action=" + result.get("action") + ", content="
                + new String(Json.write(Json.object(result, "content")), java.nio.charset.StandardCharsets.UTF_8));
    }

    private static Map<String, Object> ask(Wire wire, Session session, String method, Map<String, Object> params)
            throws IOException {
        String id = "ask-" + session.ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        session.asked.put(id, answer);
        wire.event("", Json.request(id, method, params));
        return await(answer);
    }

    private static Map<String, Object> await(CompletableFuture<Map<String, Object>> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(-32603, "interrupted");
        } catch (ExecutionException | TimeoutException e) {
            throw new Failure(-32603, "the client did not answer");
        }
    }

    /** Ends the stream before the answer, which is then had by taking the stream up again. */
    private static void interrupt(Wire wire, Session session, Object id) throws IOException {
        String event = "event-" + session.ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        session.interrupted.put(event, answer);
        wire.priming(event, 500);
        wire.end();
        answer.complete(Json.result(id, Content.text("Reconnected.")));
    }

    void get(Wire wire) throws IOException {
        Session session = session(wire);
        if (session == null) {
            return;
        }
        String last = wire.header("Last-Event-ID");
        CompletableFuture<Map<String, Object>> rest = last == null ? null : session.interrupted.get(last);
        if (rest != null) {
            wire.event(last + "-answer", await(rest));
            wire.end();
            return;
        }
        // Until the client is gone, which a write shows.
        while (!isClosedWithin(HEARTBEAT_MILLIS) && sessions.containsValue(session)) {
            wire.comment();
        }
        wire.end();
    }

    void delete(Wire wire) throws IOException {
        if (session(wire) != null) {
            sessions.remove(String.valueOf(wire.header(SESSION)));
            wire.status(200);
        }
    }

    private boolean isClosedWithin(int millis) {
        try {
            return closed.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
