package dev.postern.mcp.login;

/** A login that did not come to pass. The sentence is ours and quotes nothing that came from outside. */
public final class LoginException extends RuntimeException {
    LoginException(String what) {
        super(what, null, false, false);
    }
}
