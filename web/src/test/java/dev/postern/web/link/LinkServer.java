package dev.postern.web.link;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Role;
import dev.postern.gate.link.OneTimeLinks;
import dev.postern.gate.link.PersonalLinks;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.VaultWriter.NewSecret;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import dev.postern.store.Store;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.sql.OperatorLog;
import dev.postern.web.http.Authenticator;
import dev.postern.web.http.ErrorPages;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Links on a real server over a real store; a header or cookie says in plain words who calls. */
final class LinkServer implements AutoCloseable {
    final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T10:00:00Z"));
    final AtomicBoolean killed = new AtomicBoolean();
    final List<String> remembered = new CopyOnWriteArrayList<>();
    final Store store;
    private final DataDirectory directory;
    private final Server server;
    private final ServerConnector connector;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    LinkServer(Path data, int misses) throws Exception {
        InstantSource clock = now::get;
        directory = DataDirectory.open(data);
        store = Store.open(directory, KeySource.file(), clock);
        QueuedThreadPool pool = new QueuedThreadPool(8, 2);
        pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        server = new Server(pool);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendDateHeader(false); // as the gateway's own
        connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        connector.open();
        OneTimeLinks links =
                new OneTimeLinks(store.links(), store.ledger(), this::remember, _ -> killed.get(), origin(), clock);
        PersonalLinks personal = new PersonalLinks(store.vault(), links);
        List<Route> routes =
                new ArrayList<>(new Redemption(links, new MissLimit(misses, Duration.ofMinutes(1), clock)).routes());
        routes.addAll(new LinkApi(personal, (agent, arguments) -> Reply.json(Map.of("agent", agent.name())), "local")
                .routes());
        server.setHandler(new Router(routes, new Plain(), ErrorPages.PLAIN));
        server.start();
    }

    private void remember(String user, LiveSecret value) {
        remembered.add(user + " " + value.placeholder());
    }

    /** {@code Authorization} is an agent; the cookie {@code person} is a role. */
    private static final class Plain implements Authenticator {
        @Override
        public Identity identify(Request request, boolean active) {
            if (request.header("Authorization") != null) {
                return new Identity.Agent(new Caller("agent-1", "claude", "local", Set.of()));
            }
            String role = request.cookie("person");
            return role == null
                    ? Identity.NOBODY
                    : new Identity.Person(role, "kim", Role.parse(role), "session", "token-of-" + role, true, Set.of());
        }

        @Override
        public boolean isLive(Identity identity) {
            return true;
        }
    }

    void addSecret(String name, String value, String owner) {
        try (SecretValue secret = new SecretValue(value.getBytes(StandardCharsets.UTF_8))) {
            store.vaultWriter(OperatorLog.OPERATOR)
                    .add(new NewSecret(
                            name, secret, null, null, null, null, List.of(), DestinationRules.ANYWHERE, owner));
        }
    }

    String origin() {
        return "http://127.0.0.1:" + connector.getLocalPort();
    }

    /** Makes a link to a value, as an administrator. */
    String link(String value, int seconds) throws Exception {
        HttpResponse<String> made = post(
                origin() + "/api/vault/links",
                "{\"value\":" + dev.postern.json.JsonStrings.quote(value) + ",\"ttl_seconds\":" + seconds + "}",
                "Content-Type",
                "application/json",
                "Cookie",
                "person=admin",
                "X-CSRF-Token",
                "token-of-admin");
        return String.valueOf(dev.postern.json.JsonValue.parse(made.body().getBytes(StandardCharsets.UTF_8))
                .string("url"));
    }

    HttpResponse<String> post(String url, String body, String... headers) throws Exception {
        return send("POST", url, body, headers);
    }

    HttpResponse<String> send(String method, String url, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }

    @Override
    public void close() throws Exception {
        client.close();
        server.stop();
        store.close();
        directory.close();
    }
}
