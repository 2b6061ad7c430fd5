package dev.postern.web.auth;

/** What a challenge is for; an answer to one is none to another. */
sealed interface Purpose {
    /** Signing in: nobody is known yet. */
    record SignIn() implements Purpose {}

    /** Adding a passkey in a session. */
    record Add(String session) implements Purpose {}

    /** Proving again in a session, with a passkey, that it is them. */
    record Confirm(String session) implements Purpose {}

    /**
     * Proving it by signing in again at the provider.
     *
     * @param to where to go afterwards, a path here
     */
    record ConfirmAtProvider(String session, String to) implements Purpose {}

    /** As challenges are bound to it. */
    default String text() {
        return switch (this) {
            case SignIn _ -> "sign-in";
            case Add(String session) -> "add " + session;
            case Confirm(String session) -> "confirm " + session;
            case ConfirmAtProvider(String session, String to) -> "confirm-at-provider " + session + " " + to;
        };
    }
}
