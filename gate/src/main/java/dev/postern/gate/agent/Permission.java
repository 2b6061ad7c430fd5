package dev.postern.gate.agent;

/** What an agent may be allowed to do (A1, A2). */
public enum Permission {
    TOOL_CALL("tool.call"),
    SECRET_USE("secret.use");

    private final String label;

    Permission(String label) {
        this.label = label;
    }

    /** The name in commands and files. */
    public String label() {
        return label;
    }

    /**
     * The permission with this label.
     *
     * @throws IllegalArgumentException if no permission has this label
     */
    public static Permission parse(String label) {
        for (Permission permission : values()) {
            if (permission.label.equals(label)) {
                return permission;
            }
        }
        throw new IllegalArgumentException("a permission is tool.call or secret.use");
    }
}
