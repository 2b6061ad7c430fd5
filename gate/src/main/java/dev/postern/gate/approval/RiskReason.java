package dev.postern.gate.approval;

/** Something a person should know before they decide on a call (P8). Told as data, so that each surface words and marks it. */
public enum RiskReason {
    /** More than one secret would leave at once. */
    SEVERAL_SECRETS(true, "more than one secret at once"),
    /** The tool's definition was changed, and nobody has approved a call of it since. */
    DEFINITION_CHANGED(true, "the tool's definition was changed"),
    /** The tool reaches the open web, and no destination rule says which hosts a secret may go to. */
    OPEN_WEB(true, "the tool can reach the open web, and no rule limits the hosts"),
    /** The arguments lead to a host that cannot be told. */
    HOST_UNKNOWN(true, "the host cannot be told from the arguments"),
    /** The host was guessed from the names of arguments: nobody declared which of them lead somewhere. */
    HOST_GUESSED(false, "the host was guessed from the arguments' names"),
    /** No call that takes this secret to this tool was approved before. */
    FIRST_USE(false, "the first use of this secret by this tool"),
    /** The tool was given this secret before, but never for this destination. */
    NEW_DESTINATION(false, "a new destination for this secret"),
    /** The shown arguments hold what looks like a secret that is none of ours; it is masked. */
    ARGUMENTS_MASKED(false, "what looks like a secret stands in the arguments and is not shown");

    private final boolean critical;
    private final String text;

    RiskReason(boolean critical, String text) {
        this.critical = critical;
        this.text = text;
    }

    /** Whether this alone makes a call {@link Approval.Risk#CRITICAL}. */
    public boolean isCritical() {
        return critical;
    }

    /** A phrase for people. */
    public String text() {
        return text;
    }
}
