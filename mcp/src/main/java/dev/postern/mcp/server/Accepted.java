package dev.postern.mcp.server;

import java.util.Locale;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * What a client takes as a response. A client must name both; one that says nothing takes both.
 *
 * @param json {@code application/json}
 * @param events {@code text/event-stream}
 */
record Accepted(boolean json, boolean events) {
    static Accepted of(Request request) {
        String accept = String.join(",", request.getHeaders().getValuesList(HttpHeader.ACCEPT))
                .toLowerCase(Locale.ROOT);
        if (accept.isBlank() || accept.contains("*/*")) {
            return new Accepted(true, true);
        }
        return new Accepted(
                accept.contains("application/json") || accept.contains("application/*"),
                accept.contains("text/event-stream") || accept.contains("text/*"));
    }
}
