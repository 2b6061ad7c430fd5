package dev.postern.web.http;

import java.util.Locale;

/** By what somebody shows that it is still them, before a sensitive act. */
public enum Proof {
    PASSPHRASE("/api/session/confirm"),
    PASSKEY("/api/session/confirm/passkey/options"),
    /** Signing in again at the OpenID Connect provider whose account opened the session. */
    OPENID("/api/session/confirm/openid");

    private final String path;

    Proof(String path) {
        this.path = path;
    }

    /** What a program posts to first. */
    public String path() {
        return path;
    }

    /** As documents name it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
