package dev.postern.scrub;

/** Nothing may be returned: the input cannot be scrubbed (S10). The reason is static. */
public final class ScrubFailedException extends RuntimeException {
    private final String reason;

    public ScrubFailedException(String reason) {
        super("VAULT_SCRUB_FAILED: " + reason, null, false, false);
        this.reason = reason;
    }

    public String reason() {
        return reason;
    }
}
