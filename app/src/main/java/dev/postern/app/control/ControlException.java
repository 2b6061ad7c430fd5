package dev.postern.app.control;

/**
 * A request the gateway does not fulfil, with the exit code the command ends with.
 *
 * @see ExitCode
 */
public final class ControlException extends RuntimeException {
    /** The code of what is done only for somebody who knows the operator's passphrase. */
    public static final String PASSPHRASE_REQUIRED = "PASSPHRASE_REQUIRED";

    private final ExitCode exitCode;
    private final String code;

    /** A failure without a code of the contract. {@code message} is one plain sentence that quotes no value. */
    public ControlException(ExitCode exitCode, String message) {
        this(exitCode, "", message);
    }

    /**
     * A failure with a code of the contract.
     *
     * @param code a refusal's code, such as {@code POLICY_DENIED}, or empty
     */
    public ControlException(ExitCode exitCode, String code, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
        this.code = code;
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    public String code() {
        return code;
    }
}
