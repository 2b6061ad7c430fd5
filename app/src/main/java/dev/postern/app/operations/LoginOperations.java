package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.mcp.login.LoginException;
import dev.postern.mcp.login.Logins;
import dev.postern.mcp.login.Logins.Started;
import dev.postern.mcp.login.Logins.Status;
import dev.postern.mcp.relay.Servers;
import dev.postern.web.api.Documents;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code server.login}, {@code server.logout} and {@code server.logins}: the gateway as a client of servers that want OAuth. */
public final class LoginOperations {
    private static final long PATIENCE_MINUTES = 10;

    private final Logins logins;
    private final Servers servers;
    private final Function<String, @Nullable URI> endpoints;

    /** @param endpoints a configured server's address; null where it has none */
    public LoginOperations(Logins logins, Servers servers, Function<String, @Nullable URI> endpoints) {
        this.logins = logins;
        this.servers = servers;
        this.endpoints = endpoints;
    }

    /** Adds the three. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("server.login", this::login);
        operations.put("server.logout", (request, peer) -> logout(request.text("server")));
        operations.put("server.logins", (request, peer) -> status());
    }

    /** Tells where to sign in, then waits until that is done. */
    private Map<String, @Nullable Object> login(ControlRequest request, Operation.Peer peer)
            throws InterruptedException {
        String server = request.text("server");
        try {
            URI endpoint = endpoints.apply(server);
            if (endpoint == null) {
                throw new ControlException(
                        ExitCode.FAILED,
                        "there is no server '" + server + "' with a url: 'postern server list' shows them.");
            }
            Started started = logins.begin(server, endpoint, request.optionalText("client_id"));
            peer.send(Map.of("url", started.url().toString()));
            peer.onHangUp(() -> started.done().cancel(false));
            return document(server, started.done().get(PATIENCE_MINUTES, TimeUnit.MINUTES));
        } catch (LoginException | UpstreamException e) {
            throw failed(e);
        } catch (ExecutionException e) {
            throw failed(e.getCause());
        } catch (TimeoutException | CancellationException e) {
            throw new ControlException(ExitCode.FAILED, "the login was not finished in time; begin again.");
        }
    }

    private static ControlException failed(@Nullable Throwable cause) {
        String why = cause instanceof LoginException || cause instanceof UpstreamException
                ? String.valueOf(cause.getMessage())
                : "the login failed";
        return new ControlException(ExitCode.FAILED, why + ".");
    }

    private Map<String, Object> logout(String server) {
        if (!logins.remove(server)) {
            throw new ControlException(ExitCode.FAILED, "nobody is signed in at '" + server + "'.");
        }
        return Map.of("server", server);
    }

    private Map<String, Object> status() {
        Map<String, Object> all = new LinkedHashMap<>();
        for (String server : servers.names()) {
            Optional<Status> status = logins.status(server);
            status.ifPresent(known -> all.put(server, document(server, known)));
        }
        return all;
    }

    private static Map<String, @Nullable Object> document(String server, Status status) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("server", server);
        document.putAll(Documents.login(status));
        return document;
    }
}
