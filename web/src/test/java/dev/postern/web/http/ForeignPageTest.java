package dev.postern.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.server.OriginGuard;
import dev.postern.web.testing.HttpFront;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A4: what a page of another port of this machine is told, and that nothing was done for it. */
class ForeignPageTest {
    static final Authenticator NOBODY = new Authenticator() {
        @Override
        public Identity identify(Request request, boolean active) {
            return Identity.NOBODY;
        }

        @Override
        public boolean isLive(Identity caller) {
            return true;
        }
    };

    private final AtomicInteger done = new AtomicInteger();

    private Route route(String method, String path) {
        return new Route(
                method,
                path,
                Access.OPEN,
                request -> {
                    done.incrementAndGet();
                    return Reply.empty();
                },
                null);
    }

    private static HttpResponse<String> send(HttpFront front, String method, String path, String origin)
            throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(front.origin() + path))
                            .header("Origin", origin)
                            .header("Accept", "text/html")
                            .method(method, HttpRequest.BodyPublishers.ofString("scope=all"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    @DisplayName(
            "Its form lands on a page of ours, its script gets a problem, and where nothing of ours is, the guard answers")
    void isRefusedInTheWordsOfThePath() throws Exception {
        Router router = new Router(
                List.of(route("POST", "/kill"), route("GET", "/vault"), route("PUT", "/api/kill")),
                NOBODY,
                ErrorPages.PLAIN);
        try (HttpFront front =
                new HttpFront(router, handler -> new OriginGuard(handler, Set.of(), Set.of(), router::refuseForeign))) {
            String elsewhere = "http://127.0.0.1:1";
            for (List<String> act :
                    List.of(List.of("POST", "/kill"), List.of("GET", "/vault"), List.of("DELETE", "/kill"))) {
                HttpResponse<String> page = send(front, act.getFirst(), act.getLast(), elsewhere);
                assertThat(page.statusCode()).as("%s", act).isEqualTo(403);
                assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
                assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
                assertThat(page.body()).contains("another site");
            }
            HttpResponse<String> api = send(front, "PUT", "/api/kill", elsewhere);
            assertThat(api.statusCode()).isEqualTo(403);
            assertThat(api.body()).contains("\"code\":\"CROSS_SITE\"");
            HttpResponse<String> nothing = send(front, "POST", "/none", elsewhere);
            assertThat(nothing.statusCode()).isEqualTo(403);
            assertThat(nothing.body()).contains("\"jsonrpc\"", "another origin");
            assertThat(done).hasValue(0);
            assertThat(send(front, "POST", "/kill", front.origin()).statusCode())
                    .isEqualTo(204);
            assertThat(done).hasValue(1);
        }
    }
}
