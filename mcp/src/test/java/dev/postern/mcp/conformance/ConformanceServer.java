package dev.postern.mcp.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server of both eras that does what the official conformance suites ask of one, written without any of the
 * product's code: sessions and streams that can be taken up again as of 2025-11-25, single requests as of 2026-07-28.
 */
final class ConformanceServer implements AutoCloseable {
    static final Map<String, Object> INFO = Map.of("name", "postern-conformance", "version", "1");
    static final String MODERN = "2026-07-28";
    static final List<String> LEGACY_VERSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LegacySide legacy = new LegacySide();
    private final ModernSide modern = new ModernSide();

    ConformanceServer() throws IOException {
        this(0);
    }

    ConformanceServer(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 64);
        server.setExecutor(threads);
        server.createContext("/mcp", this::handle);
        server.start();
    }

    /** For trying a suite by hand: serves on the port given until its input ends. */
    public static void main(String[] arguments) throws IOException {
        try (ConformanceServer server = new ConformanceServer(Integer.parseInt(arguments[0]))) {
            System.out.println("ready " + server.endpoint());
            while (System.in.read() >= 0) {
                // Nothing that is said matters, only the end.
            }
        }
    }

    URI endpoint() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/mcp");
    }

    private void handle(HttpExchange exchange) throws IOException {
        Wire wire = new Wire(exchange);
        if (!isLocal(wire.header("Host")) || !isLocal(wire.header("Origin"))) {
            wire.status(403);
            return;
        }
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                Map<String, Object> message =
                        Json.parse(exchange.getRequestBody().readAllBytes());
                if (isModern(wire, message)) {
                    modern.post(wire, message);
                } else {
                    legacy.post(wire, message);
                }
            }
            case "GET" -> legacy.get(wire);
            case "DELETE" -> legacy.delete(wire);
            default -> wire.status(405);
        }
    }

    private static boolean isModern(Wire wire, Map<String, Object> message) {
        Map<String, Object> meta = Json.object(Json.object(message, "params"), "_meta");
        String version = wire.header("MCP-Protocol-Version");
        return meta.containsKey(ModernSide.VERSION_KEY)
                || (version != null
                        && !LEGACY_VERSIONS.contains(version)
                        && !Json.text(message, "method").equals("initialize"));
    }

    /** Whether a Host or Origin header names this machine; one that is not there does. */
    private static boolean isLocal(@Nullable String header) {
        return header == null || header.matches("(?i)(https?://)?(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");
    }

    @Override
    public void close() {
        legacy.close();
        modern.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
