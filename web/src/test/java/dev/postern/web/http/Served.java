package dev.postern.web.http;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Routes on a real server, where {@code Authorization} or a cookie says in plain words who calls. */
final class Served implements AutoCloseable {
    static final Caller AGENT = new Caller("agent-1", "claude", "local", Set.of());

    final Router router;
    final Set<String> signedOut = ConcurrentHashMap.newKeySet();
    private final Server server;
    private final ServerConnector connector;
    private final HttpClient client = HttpClient.newHttpClient();

    Served(Route... routes) throws Exception {
        router = new Router(
                List.of(routes),
                new Authenticator() {
                    @Override
                    public Identity identify(Request request, boolean active) {
                        if (request.header("Authorization") != null) {
                            return new Identity.Agent(AGENT);
                        }
                        String name = request.cookie("person");
                        return name == null ? Identity.NOBODY : person(name);
                    }

                    @Override
                    public boolean isLive(Identity identity) {
                        return !(identity instanceof Identity.Person person) || !signedOut.contains(person.id());
                    }
                },
                ErrorPages.PLAIN);
        QueuedThreadPool pool = new QueuedThreadPool(8, 2);
        pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        server = new Server(pool);
        connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(router);
        server.start();
    }

    /** A person named after the role. */
    static Identity.Person person(String role) {
        return new Identity.Person(
                role, role, Role.parse(role), "session-of-" + role, "token-of-" + role, false, Set.of());
    }

    String origin() {
        return "http://127.0.0.1:" + connector.getLocalPort();
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(origin() + path));
        return headers.length == 0 ? builder : builder.headers(headers);
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).GET());
    }

    HttpResponse<String> post(String path, String body, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    HttpClient client() {
        return client;
    }

    @Override
    public void close() throws Exception {
        router.close();
        client.close();
        server.stop();
    }
}
