package dev.postern.mcp.conformance;

import dev.postern.mcp.conformance.Json.Failure;
import dev.postern.mcp.conformance.ModernSide.Call;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The tasks extension: tools whose result is fetched later. */
final class Tasks implements AutoCloseable {
    static final String EXTENSION = "io.modelcontextprotocol/tasks";

    private final Map<String, Task> tasks = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** What a task does; its result, or a {@link Failure}. */
    private interface Work {
        Map<String, Object> run(Task task) throws InterruptedException;
    }

    private static final class Task {
        private final String id = UUID.randomUUID().toString();
        private final String created = now();
        private final Map<String, Object> wanted = new LinkedHashMap<>();
        private final Map<String, Object> given = new LinkedHashMap<>();
        private String updated = created;
        private String status = "working";
        private @Nullable Map<String, Object> result;
        private @Nullable Failure failure;
        private @Nullable Thread worker;

        /** Waits until the client has answered everything. */
        synchronized Map<String, Object> ask(Map<String, Object> requests) throws InterruptedException {
            wanted.putAll(requests);
            become("input_required");
            while (!wanted.isEmpty()) {
                wait();
            }
            become("working");
            return given;
        }

        /** Works for so long, as the suite wants it, or until it is cancelled. */
        synchronized void runFor(int millis) throws InterruptedException {
            long end = System.nanoTime() + millis * 1_000_000L;
            for (long left = millis; left > 0 && !isOver(); left = (end - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        }

        synchronized void give(Map<String, Object> responses) {
            responses.forEach((key, response) -> {
                if (wanted.remove(key) != null) {
                    given.put(key, response);
                }
            });
            notifyAll();
        }

        synchronized void become(String newStatus) {
            if (!isOver()) {
                status = newStatus;
                updated = now();
            }
        }

        synchronized void complete(@Nullable Map<String, Object> newResult, @Nullable Failure newFailure) {
            if (!isOver()) {
                result = newResult;
                failure = newFailure;
                become(newFailure == null ? "completed" : "failed");
            }
        }

        synchronized void cancel() {
            become("cancelled");
            if (worker != null) {
                worker.interrupt();
            }
            notifyAll();
        }

        private boolean isOver() {
            return status.equals("completed") || status.equals("failed") || status.equals("cancelled");
        }

        synchronized Map<String, Object> summary() {
            Map<String, Object> summary = new LinkedHashMap<>();
            summary.put("taskId", id);
            summary.put("status", status);
            summary.put("createdAt", created);
            summary.put("lastUpdatedAt", updated);
            summary.put("ttlMs", 600_000);
            summary.put("pollIntervalMs", 100);
            return summary;
        }

        synchronized Map<String, Object> details() {
            Map<String, Object> details = summary();
            Map<String, Object> done = result;
            Failure broken = failure;
            if (done != null) {
                details.put("result", done);
            }
            if (broken != null) {
                details.put("error", Map.of("code", broken.code(), "message", String.valueOf(broken.getMessage())));
            }
            if (!isOver() && !wanted.isEmpty()) {
                details.put("inputRequests", new LinkedHashMap<>(wanted));
            }
            return details;
        }

        private static String now() {
            return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        }
    }

    Map<String, Object> answer(Call call) {
        needed(call);
        Task task = tasks.get(Json.text(call.params(), "taskId"));
        if (task == null) {
            throw new Failure(-32602, "no such task");
        }
        return switch (call.method()) {
            case "tasks/get" -> task.details();
            case "tasks/cancel" -> {
                task.cancel();
                yield Map.of();
            }
            default -> {
                task.give(Json.object(call.params(), "inputResponses"));
                yield Map.of();
            }
        };
    }

    private static boolean negotiated(Call call) {
        return Json.object(call.capabilities(), "extensions").containsKey(EXTENSION);
    }

    private static void needed(Call call) {
        if (!negotiated(call)) {
            throw Call.lacking(Map.of("extensions", Map.of(EXTENSION, Map.of())));
        }
    }

    /** The result of a tool of this extension's; null where the tool is none of those. */
    @Nullable
    Map<String, Object> tool(Call call) {
        return switch (call.name()) {
            case "greet" -> Content.text("Hello, " + Json.text(call.arguments(), "name") + "!");
            case "slow_compute" -> {
                int millis = call.arguments().get("seconds") instanceof Number seconds
                        ? (int) (seconds.doubleValue() * 1000)
                        : 0;
                if (negotiated(call)) {
                    yield begin(task -> {
                        task.runFor(millis);
                        return Content.text("computed");
                    });
                }
                try {
                    new Task().runFor(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                yield Content.text("computed");
            }
            case "failing_job" -> {
                needed(call);
                yield begin(task -> {
                    task.runFor(200);
                    return Content.error("This job fails");
                });
            }
            case "protocol_error_job" -> {
                needed(call);
                yield begin(task -> {
                    throw new Failure(-32603, "This job breaks down");
                });
            }
            case "confirm_delete" -> {
                needed(call);
                yield begin(task -> {
                    task.ask(Map.of("only-" + task.id, Rounds.name("Really?")));
                    return Content.text("deleted");
                });
            }
            case "multi_input" -> {
                needed(call);
                yield begin(task -> {
                    task.ask(Map.of(
                            "first-" + task.id, Rounds.name("First?"), "second-" + task.id, Rounds.name("Second?")));
                    return Content.text("both answered");
                });
            }
            case "test_tool_with_task" -> {
                needed(call);
                String name = Rounds.answered(Json.object(call.params(), "inputResponses"), "user_name", "name");
                yield name.isEmpty()
                        ? new Rounds().asks(Map.of("user_name", Rounds.name("What is your name?")), null)
                        : begin(task -> Content.text("Hello, " + name + "!"));
            }
            default -> null;
        };
    }

    private Map<String, Object> begin(Work work) {
        Task task = new Task();
        tasks.put(task.id, task);
        Map<String, Object> created = task.summary();
        created.put("resultType", "task");
        var _ = threads.submit(() -> {
            synchronized (task) {
                task.worker = Thread.currentThread();
            }
            try {
                task.complete(work.run(task), null);
            } catch (Failure e) {
                task.complete(null, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return created;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
