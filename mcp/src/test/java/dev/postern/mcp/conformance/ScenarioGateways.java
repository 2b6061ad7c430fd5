package dev.postern.mcp.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Opens gateways on demand: the server of a client scenario is started by the suite, and only the client it then runs learns
 * the address. That one posts it here and is told the address of a gateway before it, until it
 * says that it is done.
 */
final class ScenarioGateways implements AutoCloseable {
    private final Map<URI, ConformanceGateway> gateways = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    ScenarioGateways() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI address() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    }

    private void handle(HttpExchange exchange) throws IOException {
        URI scenario = URI.create(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        if (exchange.getRequestMethod().equals("DELETE")) {
            ConformanceGateway done = gateways.remove(scenario);
            if (done != null) {
                done.close();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            return;
        }
        ConformanceGateway gateway;
        try {
            gateway = new ConformanceGateway(0, scenario);
        } catch (Exception e) {
            throw new IOException("no gateway could be started", e);
        }
        gateways.put(scenario, gateway);
        byte[] endpoint = gateway.endpoint().toString().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, endpoint.length);
        exchange.getResponseBody().write(endpoint);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        gateways.values().forEach(ConformanceGateway::close);
        threads.shutdownNow();
    }
}
