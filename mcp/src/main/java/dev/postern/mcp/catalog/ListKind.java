package dev.postern.mcp.catalog;

import org.jspecify.annotations.Nullable;

/** The lists of the protocol: what servers offer, and the tasks that legacy ones work on. */
public enum ListKind {
    TOOLS("tools/list", "tools", "tools"),
    PROMPTS("prompts/list", "prompts", "prompts"),
    RESOURCES("resources/list", "resources", "resources"),
    TEMPLATES("resources/templates/list", "resourceTemplates", "resources"),
    TASKS("tasks/list", "tasks", "tasks");

    private final String method;
    private final String member;
    private final String capability;

    ListKind(String method, String member, String capability) {
        this.method = method;
        this.member = member;
        this.capability = capability;
    }

    public String method() {
        return method;
    }

    /** The result's member that holds the items. */
    public String member() {
        return member;
    }

    /** The server capability without which the method is not called. */
    public String capability() {
        return capability;
    }

    /** The list this method asks for; null if it asks for none. */
    public static @Nullable ListKind of(String method) {
        for (ListKind kind : values()) {
            if (kind.method.equals(method)) {
                return kind;
            }
        }
        return null;
    }
}
