package dev.postern.scrub;

/**
 * A message that cannot be scrubbed, and so must not be delivered (S10). Carries a static reason, never a byte of the
 * message.
 */
public final class ScrubFailedException extends RuntimeException {
    /** The refusal code every surface reports. */
    public static final String CODE = "VAULT_SCRUB_FAILED";

    private final String reason;

    /** @param reason a static phrase, never made from the message */
    public ScrubFailedException(String reason) {
        super(CODE + ": " + reason, null, false, false);
        this.reason = reason;
    }

    /** {@link #CODE}. */
    public String code() {
        return CODE;
    }

    /** One of a fixed set of phrases. */
    public String reason() {
        return reason;
    }
}
