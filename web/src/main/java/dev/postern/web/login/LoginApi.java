package dev.postern.web.login;

import dev.postern.gate.agent.Right;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.json.JsonValue;
import dev.postern.mcp.login.LoginException;
import dev.postern.mcp.login.Logins;
import dev.postern.web.api.Documents;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code /api/servers/{name}/login}: signing the gateway in at servers that want OAuth, and out again. */
public final class LoginApi {
    private static final Schema STATUS = Schema.object()
            .with("issuer", Schema.text("The authorization server"))
            .with("scope", Schema.text("What was granted, separated by spaces"))
            .with(
                    "expires_at",
                    Schema.instant("When the access token ends, where that is known")
                            .orNull())
            .with("renewable", Schema.flag("Whether it is renewed by itself"))
            .with("needs_login", Schema.flag("Whether the server wants more than this gives"));

    private final Logins logins;
    private final Function<String, @Nullable URI> endpoints;

    /** @param endpoints a configured server's address; null where it has none */
    public LoginApi(Logins logins, Function<String, @Nullable URI> endpoints) {
        this.logins = logins;
        this.endpoints = endpoints;
    }

    public List<Route> routes() {
        String path = "/api/servers/{name}/login";
        Access manage = Access.needs(Right.MANAGE_SERVERS);
        return List.of(
                new Route(
                        "GET",
                        path,
                        manage,
                        this::status,
                        RouteDoc.of("Servers", "serverLogin", "How the gateway is signed in at a server")
                                .answers(STATUS)
                                .refuses("404 NOT_SIGNED_IN")),
                new Route(
                        "POST",
                        path,
                        manage,
                        this::begin,
                        RouteDoc.of(
                                        "Servers",
                                        "signInAtServer",
                                        "Begin to sign the gateway in at a server: open the url in a browser (confirmed)")
                                .takes(
                                        Schema.object()
                                                .optional(
                                                        "client_id",
                                                        Schema.text(
                                                                "As the authorization server knows the gateway; it registers by itself if left out")))
                                .answers(Schema.object().with("url", Schema.text("Where to sign in")))
                                .refuses("403 CONFIRMATION_REQUIRED", "404 NOT_FOUND", "502 LOGIN_FAILED")),
                new Route(
                        "DELETE",
                        path,
                        manage,
                        this::end,
                        RouteDoc.of(
                                        "Servers",
                                        "signOutOfServer",
                                        "Forget the login at a server, and give its tokens back")
                                .refuses("404 NOT_SIGNED_IN")));
    }

    private Reply status(Request request) {
        return logins.status(request.pathValue("name"))
                .map(status -> Reply.json(Documents.login(status)))
                .orElseThrow(LoginApi::notSignedIn);
    }

    private Reply begin(Request request) {
        request.requireConfirmed();
        String server = request.pathValue("name");
        JsonValue body = request.jsonOrEmpty();
        try {
            URI endpoint = endpoints.apply(server);
            if (endpoint == null) {
                throw new ProblemException(404, "NOT_FOUND", "No server of that name has a url in the configuration.");
            }
            return Reply.json(Map.of(
                    "url",
                    logins.begin(server, endpoint, body.string("client_id"))
                            .url()
                            .toString()));
        } catch (LoginException | UpstreamException e) {
            throw new ProblemException(502, "LOGIN_FAILED", e.getMessage() + ".");
        }
    }

    private Reply end(Request request) {
        if (!logins.remove(request.pathValue("name"))) {
            throw notSignedIn();
        }
        return Reply.empty();
    }

    private static ProblemException notSignedIn() {
        return new ProblemException(404, "NOT_SIGNED_IN", "The gateway is not signed in at a server of that name.");
    }
}
