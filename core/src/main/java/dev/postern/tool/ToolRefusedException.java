package dev.postern.tool;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A call that was not made, or whose answer is not handed on. The message is for the agent: a code, what happened, what to
 * do next; never a value, never what a tool wrote. The cause, if any, is what {@link SecretSource} threw, and not for
 * the agent.
 */
public final class ToolRefusedException extends RuntimeException {
    private final String code;

    ToolRefusedException(String code, String message) {
        this(code, message, null);
    }

    private ToolRefusedException(String code, String message, @Nullable Throwable cause) {
        super(code + ": " + message, cause, false, false);
        this.code = code;
    }

    static ToolRefusedException unresolved(String message, @Nullable Throwable cause) {
        return new ToolRefusedException("SECRET_UNRESOLVED", message, cause);
    }

    /** One of {@code SECRET_UNRESOLVED}, {@code INVALID_ARGS}, {@code VAULT_SCRUB_FAILED}. */
    public String code() {
        return code;
    }

    @Override
    public String getMessage() {
        return requireNonNull(super.getMessage());
    }
}
