package dev.postern.mcp.catalog;

import dev.postern.json.JsonValue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which server a resource belongs to: the one that listed its URI, else the one whose template starts like it. URIs are
 * passed as they are; the first server that lists one keeps it. Bounded; thread-safe.
 */
public final class ResourceOwners {
    private static final int MAX_URIS = 50_000;

    private final Map<String, String> uris = new ConcurrentHashMap<>();
    private final Map<String, String> templates = new ConcurrentHashMap<>();

    /** Takes note of a page of resources or templates; other lists are none of its business. */
    public void learn(ListKind kind, String server, JsonValue result) {
        JsonValue page = result.member(kind.member());
        if (page == null) {
            return;
        }
        for (JsonValue item : page.elements()) {
            switch (kind) {
                case RESOURCES -> put(uris, item.string("uri"), server);
                case TEMPLATES -> put(templates, item.string("uriTemplate"), server);
                case TOOLS, PROMPTS, TASKS -> {}
            }
        }
    }

    private static void put(Map<String, String> map, @Nullable String key, String server) {
        if (key != null && map.size() < MAX_URIS) {
            map.putIfAbsent(key, server);
        }
    }

    /** The server of a URI or of a template itself; null if nobody listed either. */
    public @Nullable String ownerOf(String uri) {
        String owner = uris.getOrDefault(uri, templates.get(uri));
        if (owner != null) {
            return owner;
        }
        int longest = 0;
        for (Map.Entry<String, String> template : templates.entrySet()) {
            int literal = template.getKey().indexOf('{');
            if (literal > longest && uri.startsWith(template.getKey().substring(0, literal))) {
                longest = literal;
                owner = template.getValue();
            }
        }
        return owner;
    }
}
