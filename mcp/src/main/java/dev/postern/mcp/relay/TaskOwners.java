package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Message;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which server works on a task, as learned from the answer that named it; for the newest tasks only. Thread-safe. */
final class TaskOwners {
    private static final int MAX_TASKS = 1_000;
    private static final byte[] MARK = "\"taskId\"".getBytes(StandardCharsets.US_ASCII);

    private final Map<String, String> owners = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MAX_TASKS;
        }
    };

    /** Takes note of the task that a call's answer names, if it does: flat in the modern extension, in {@code task} before. */
    void learn(String server, Outbound answer) {
        if (!mentionsTask(answer.bytes())) {
            return;
        }
        Message message = answer.message();
        JsonValue result = message.type() == Message.Type.RESULT ? message.body() : null;
        JsonValue flat = result == null ? null : result.member("taskId");
        JsonValue id = flat != null || result == null ? flat : result.path("task", "taskId");
        learn(server, id);
    }

    /** Takes note of the tasks of a list, {@code tasks/list} of 2025-11-25. */
    void learnAll(String server, JsonValue page) {
        JsonValue tasks = page.member("tasks");
        if (tasks != null) {
            tasks.elements().forEach(task -> learn(server, task.member("taskId")));
        }
    }

    private void learn(String server, @Nullable JsonValue id) {
        if (id != null && id.is(JsonValue.Kind.STRING)) {
            synchronized (owners) {
                owners.put(id.string(), server);
            }
        }
    }

    /** The server behind a {@code tasks/*} request; null where the task is not known. */
    @Nullable
    String ownerOf(Message request) {
        String id = request.body() == null ? null : request.body().string("taskId");
        if (id == null) {
            return null;
        }
        synchronized (owners) {
            return owners.get(id);
        }
    }

    /** Most answers name no task and are not indexed for it. */
    private static boolean mentionsTask(byte[] bytes) {
        for (int at = 0; at <= bytes.length - MARK.length; at++) {
            if (bytes[at + 1] == 't' && bytes[at] == '"' && startsWithMark(bytes, at)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWithMark(byte[] bytes, int from) {
        for (int i = 0; i < MARK.length; i++) {
            if (bytes[from + i] != MARK[i]) {
                return false;
            }
        }
        return true;
    }
}
