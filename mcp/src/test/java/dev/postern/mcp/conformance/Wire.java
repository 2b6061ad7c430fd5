package dev.postern.mcp.conformance;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One HTTP request and its response: JSON, or a stream of events. Used by one thread at a time. */
final class Wire {
    private final HttpExchange exchange;
    private boolean streaming;

    Wire(HttpExchange exchange) {
        this.exchange = exchange;
    }

    @Nullable
    String header(String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    void responseHeader(String name, String value) {
        exchange.getResponseHeaders().set(name, value);
    }

    void status(int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    void json(int status, Map<String, Object> message) throws IOException {
        if (streaming) {
            event("", message);
            end();
            return;
        }
        byte[] body = Json.write(message);
        responseHeader("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Starts the stream if it has not begun. */
    synchronized void open() throws IOException {
        if (!streaming) {
            streaming = true;
            responseHeader("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
        }
    }

    synchronized void event(String id, Map<String, Object> message) throws IOException {
        open();
        write((id.isEmpty() ? "" : "id: " + id + "\n") + "data: "
                + new String(Json.write(message), StandardCharsets.UTF_8) + "\n\n");
    }

    /** An event without a message, from which a stream can be taken up again. */
    synchronized void priming(String id, int retryMillis) throws IOException {
        open();
        write("id: " + id + "\nretry: " + retryMillis + "\ndata: \n\n");
    }

    /** Something that is no event; fails where the client is gone. */
    synchronized void comment() throws IOException {
        open();
        write(":\n\n");
    }

    private void write(String text) throws IOException {
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    void end() {
        exchange.close();
    }
}
