package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.ScriptedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A1: who is served. A4: from where. */
class OriginGuardTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    /** The status line for a request with exactly these headers. */
    private static String status(Gateway gateway, String path, String... headers) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), gateway.uri("/").getPort())) {
            String request = "POST " + path + " HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: "
                    + PING.length() + "\r\nConnection: close\r\n" + String.join("\r\n", headers) + "\r\n\r\n" + PING;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return response.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:7437, '', 400",
        "localhost, '', 400",
        "LOCALHOST:1, '', 400",
        "[::1]:7437, '', 400",
        "192.0.2.7, '', 400",
        "evil.example, '', 421",
        "localhost.evil.example, '', 421",
        "localhost:7437, http://localhost:7437, 400",
        "127.0.0.1:7437, http://localhost:7437, 400",
        "localhost:7437, http://localhost:6274, 403",
        "localhost:7437, http://127.0.0.1:6274, 403",
        "localhost:7437, http://localhost, 403",
        "localhost, http://localhost:6274, 403",
        "localhost, http://user@localhost, 403",
        "localhost, http://localhost:80, 400",
        "POSTERN.example, https://postern.example, 400",
        "postern.example:8443, https://postern.example:8443, 400",
        "postern.example:8443, https://postern.example, 403",
        "postern.example, https://postern.example:8443, 403",
        "localhost:7437, https://people.example, 400",
        "localhost:7437, https://PEOPLE.example, 400",
        "localhost:7437, https://people.example:8443, 403",
        "localhost:7437, http://people.example, 403",
        "people.example, https://people.example, 421",
        "localhost, https://127.0.0.1, 400",
        "localhost, http://evil.example, 403",
        "localhost, http://localhost.evil.example, 403",
        "localhost, null, 403",
        "localhost, file://, 403",
        "192.0.2.7:7437, http://192.0.2.7:7437, 400",
        "192.0.2.7, http://192.0.2.7:7437, 403",
        "192.0.2.7, http://192.0.2.8, 403",
    })
    @DisplayName("A4: Host and Origin are both checked; 400 is what a request without a session gets")
    void onlyOurOwnHostsAreServed(String host, String origin, String status) throws Exception {
        try (Gateway gateway = Gateway.over(Map.of())) {
            String key = "Authorization: Bearer " + Gateway.KEY;
            String[] headers = origin.isEmpty()
                    ? new String[] {"Host: " + host, key}
                    : new String[] {"Host: " + host, key, "Origin: " + origin};
            assertThat(status(gateway, "/mcp", headers)).isEqualTo(status);
        }
    }

    @Test
    @DisplayName("A1: without an agent's key nothing is served, not even whether a server exists")
    void onlyAgentsAreServed() throws Exception {
        try (Gateway gateway = Gateway.over(Map.of("s", ScriptedServer.legacy("{}")))) {
            for (String path : new String[] {"/mcp", "/mcp/s", "/mcp/none"}) {
                assertThat(status(gateway, path, "Host: localhost")).isEqualTo("401");
                assertThat(status(gateway, path, "Host: localhost", "Authorization: Bearer nobody"))
                        .isEqualTo("401");
                assertThat(status(gateway, path, "Host: localhost", "Authorization: Basic " + Gateway.KEY))
                        .isEqualTo("401");
            }
            assertThat(status(gateway, "/mcp/none", "Host: localhost", "Authorization: Bearer " + Gateway.KEY))
                    .isEqualTo("404");
            assertThat(status(gateway, "/mcpx", "Host: localhost", "Authorization: Bearer " + Gateway.KEY))
                    .isEqualTo("404");
        }
    }
}
