package dev.postern.tool;

import static java.util.Objects.requireNonNull;

/**
 * A tool threw. Its message is here with every value taken out; its cause is not, since a cause's text may hold a value.
 * The stack trace is the tool's.
 */
public final class ToolFailedException extends RuntimeException {
    ToolFailedException(String message, RuntimeException failure) {
        super(message);
        setStackTrace(failure.getStackTrace());
    }

    @Override
    public String getMessage() {
        return requireNonNull(super.getMessage());
    }
}
