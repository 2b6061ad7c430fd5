package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which changes a modern client wants to hear of (2026-07-28, {@code subscriptions/listen}). */
record SubscriptionFilter(boolean tools, boolean prompts, boolean resources, Set<String> uris, Set<String> tasks) {
    /** The extension whose servers tell how tasks are getting on. */
    static final String TASKS = "io.modelcontextprotocol/tasks";

    /** Reads a {@code notifications} member; null if it is none. */
    static @Nullable SubscriptionFilter of(@Nullable JsonValue json) {
        if (json == null || !json.is(Kind.OBJECT)) {
            return null;
        }
        return new SubscriptionFilter(
                isTrue(json, "toolsListChanged"),
                isTrue(json, "promptsListChanged"),
                isTrue(json, "resourcesListChanged"),
                texts(json.member("resourceSubscriptions")),
                texts(json.member("taskIds")));
    }

    private static Set<String> texts(@Nullable JsonValue array) {
        Set<String> texts = new LinkedHashSet<>();
        if (array != null && array.is(Kind.ARRAY)) {
            array.elements().stream().filter(text -> text.is(Kind.STRING)).forEach(text -> texts.add(text.string()));
        }
        return texts;
    }

    /** What of this a server with these capabilities can tell. */
    SubscriptionFilter within(@Nullable JsonValue capabilities) {
        return new SubscriptionFilter(
                tools && has(capabilities, "tools", "listChanged"),
                prompts && has(capabilities, "prompts", "listChanged"),
                resources && has(capabilities, "resources", "listChanged"),
                has(capabilities, "resources", "subscribe") ? uris : Set.of(),
                capabilities != null && capabilities.path("extensions", TASKS) != null ? tasks : Set.of());
    }

    boolean isEmpty() {
        return !tools && !prompts && !resources && uris.isEmpty() && tasks.isEmpty();
    }

    /** Whether it lets a notification through. */
    boolean admits(String method, @Nullable JsonValue params) {
        return switch (method) {
            case "notifications/tools/list_changed" -> tools;
            case "notifications/prompts/list_changed" -> prompts;
            case "notifications/resources/list_changed" -> resources;
            case "notifications/resources/updated" -> {
                String uri = params == null ? null : params.string("uri");
                // A server may tell of a part of what was subscribed to.
                yield uri != null
                        && (uris.contains(uri) || uris.stream().anyMatch(parent -> uri.startsWith(parent + "/")));
            }
            case "notifications/tasks" -> {
                String task = params == null ? null : params.string("taskId");
                yield task != null && tasks.contains(task);
            }
            default -> false;
        };
    }

    /** As a {@code notifications} member. */
    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        if (tools) {
            map.put("toolsListChanged", true);
        }
        if (prompts) {
            map.put("promptsListChanged", true);
        }
        if (resources) {
            map.put("resourcesListChanged", true);
        }
        if (!uris.isEmpty()) {
            map.put("resourceSubscriptions", uris);
        }
        if (!tasks.isEmpty()) {
            map.put("taskIds", tasks);
        }
        return map;
    }

    private static boolean isTrue(JsonValue json, String member) {
        JsonValue value = json.member(member);
        return value != null && value.is(Kind.TRUE);
    }

    private static boolean has(@Nullable JsonValue capabilities, String capability, String member) {
        JsonValue value = capabilities == null ? null : capabilities.path(capability, member);
        return value != null && value.is(Kind.TRUE);
    }
}
