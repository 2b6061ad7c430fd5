package dev.postern.web.login;

import dev.postern.mcp.login.LoginException;
import dev.postern.mcp.login.Logins;
import dev.postern.web.http.Access;
import dev.postern.web.http.Endpoint;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import java.nio.charset.StandardCharsets;

/** The redirect addresses of logins, one for each server. */
public final class LoginCallback implements Endpoint {
    /** Their path but for the server's name, which authorization servers know. */
    public static final String PATH = "/oauth/callback";

    private final Logins logins;

    public LoginCallback(Logins logins) {
        this.logins = logins;
    }

    public Route route() {
        return Route.page("GET", PATH + "/{server}", Access.OPEN, this);
    }

    @Override
    public Reply answer(Request request) {
        try {
            String server = request.pathValue("server");
            logins.complete(server, request::query);
            return text(200, "Postern is signed in at the server '" + server + "'. You can close this page.");
        } catch (LoginException e) {
            return text(400, "Postern could not sign in: " + e.getMessage() + ".");
        }
    }

    private static Reply text(int status, String sentence) {
        return Reply.bytes(status, "text/plain; charset=utf-8", sentence.getBytes(StandardCharsets.UTF_8))
                // The address holds the code, spent as it is.
                .with("Referrer-Policy", "no-referrer");
    }
}
