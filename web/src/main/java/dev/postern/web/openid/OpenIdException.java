package dev.postern.web.openid;

/** The provider did not say who signed in. The message is ours and quotes nothing that was received. */
public final class OpenIdException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean unreachable;

    private OpenIdException(String message, boolean unreachable) {
        super(message, null, false, false);
        this.unreachable = unreachable;
    }

    static OpenIdException refused(String message) {
        return new OpenIdException(message, false);
    }

    static OpenIdException unreachable(String message) {
        return new OpenIdException(message, true);
    }

    /** Whether trying again later may help. */
    public boolean isUnreachable() {
        return unreachable;
    }
}
