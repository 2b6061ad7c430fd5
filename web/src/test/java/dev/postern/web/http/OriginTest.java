package dev.postern.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.web.testing.HttpFront;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A4: under what origin, and from whom, a request came, as browsers and proxies say it. */
class OriginTest {
    private static final URI ADDRESS = URI.create("https://postern.example.com");

    /** What the request that these lines make is taken for: origin, whether it is secure, and the address that asks. */
    private static String seen(String... lines) throws Exception {
        Route route = new Route(
                "GET",
                "/seen",
                Access.OPEN,
                request -> Reply.bytes(
                        200,
                        "text/plain",
                        (request.origin() + " " + request.isSecure() + " " + request.remoteAddress())
                                .getBytes(StandardCharsets.UTF_8)),
                null);
        Router router = new Router(List.of(route), ForeignPageTest.NOBODY, ErrorPages.PLAIN, ADDRESS);
        try (HttpFront front = new HttpFront(router);
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(front.origin()).getPort())) {
            socket.getOutputStream()
                    .write((String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.substring(answer.lastIndexOf("\r\n") + 2);
        }
    }

    private static String seenFor(String host, String... more) throws Exception {
        String[] lines = new String[3 + more.length];
        lines[0] = "GET /seen HTTP/1.1";
        lines[1] = "Connection: close";
        lines[2] = "Host: " + host;
        System.arraycopy(more, 0, lines, 3, more.length);
        return seen(lines);
    }

    @Test
    @DisplayName("Without a Host header, as over HTTP/2, the port that goes without saying is left out, as browsers do")
    void theUsualPortIsLeftOut() throws Exception {
        assertThat(seen("GET http://one.example/seen HTTP/1.0")).startsWith("http://one.example false");
        assertThat(seen("GET http://one.example:81/seen HTTP/1.0")).startsWith("http://one.example:81 false");
        assertThat(seen("GET https://one.example/seen HTTP/1.0")).startsWith("https://one.example true");
        assertThat(seen("GET https://postern.example.com/seen HTTP/1.0"))
                .startsWith("https://postern.example.com true");
        assertThat(seenFor("ONE.example:80")).startsWith("http://one.example false");
        assertThat(seenFor("one.example:8080")).startsWith("http://one.example:8080 false");
    }

    @Test
    @DisplayName("The configured host is known to be behind TLS, however a proxy writes its port; no other is")
    void theConfiguredHostIsBehindTls() throws Exception {
        assertThat(seenFor("postern.example.com")).startsWith("https://postern.example.com true");
        assertThat(seenFor("Postern.Example.com:443")).startsWith("https://postern.example.com true");
        assertThat(seenFor("postern.example.com:8443")).startsWith("http://postern.example.com:8443 false");
        assertThat(seenFor("one.example", "X-Forwarded-Proto: https", "X-Forwarded-Host: postern.example.com"))
                .startsWith("http://one.example false");
    }

    @Test
    @DisplayName("Limits count the address that the proxy saw, and no other that somebody writes")
    void limitsCountWhomTheProxySaw() throws Exception {
        assertThat(seenFor("postern.example.com", "X-Forwarded-For: 203.0.113.9"))
                .endsWith(" 203.0.113.9");
        assertThat(seenFor("postern.example.com", "X-Forwarded-For: 198.51.100.1, 203.0.113.9"))
                .endsWith(" 203.0.113.9");
        assertThat(seenFor("postern.example.com")).endsWith(" 127.0.0.1");
        assertThat(seenFor("127.0.0.1", "X-Forwarded-For: 203.0.113.9")).endsWith(" 127.0.0.1");
    }
}
