package dev.postern.app.control;

/** What the commands' exit codes mean. Fixed: scripts rely on them. */
public enum ExitCode {
    DONE(0),
    FAILED(1),
    WRONG_USAGE(2),
    /** Refused by policy, malformed reference or scrub failure. */
    REFUSED(3),
    /** Denied by a person, or nobody answered in time. */
    DENIED(4),
    NOT_RUNNING(5);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /**
     * The exit code of a number.
     *
     * @throws IllegalArgumentException if there is no such code
     */
    public static ExitCode of(int number) {
        for (ExitCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        throw new IllegalArgumentException("no exit code " + number);
    }
}
