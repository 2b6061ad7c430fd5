package dev.postern.mcp.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.mcp.fixture.Gateway;
import dev.postern.mcp.fixture.ModernClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code http_request} through the whole gateway, to a real HTTP server. */
@Timeout(600)
class HttpRequestTest {
    private static final String VALUE = "http-Tr0ub4dor&3-9zQ";

    private final List<String> received = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private Gateway gateway;
    private ModernClient agent;
    private String base;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        base = "http://127.0.0.1:" + server.getAddress().getPort();
        gateway = Gateway.over(Map.of());
        gateway.addSecret("api", VALUE);
        agent = new ModernClient(gateway, "/mcp");
    }

    @AfterEach
    void stop() {
        agent.close();
        gateway.close();
        server.stop(0);
    }

    @Test
    @DisplayName("S1: a value goes out in URL, header and body, and none of it comes back")
    void valuesGoOutAndNeverComeBack() throws Exception {
        serve("/echo", 200, "text/plain", exchange -> String.join("\n", received));
        JsonValue result = call("{\"method\":\"post\",\"url\":\"" + base
                + "/echo?k={{vault:api|uri}}\",\"headers\":{\"Authorization\":\"Bearer {{vault:api}}\",\"X-Two\":[\"a\",\"b\"]},"
                + "\"body\":{\"key\":\"{{vault:api}}\",\"n\":1.50}}");
        assertThat(received.getFirst())
                .contains("POST /echo?k=http-Tr0ub4dor%263-9zQ", "Bearer " + VALUE, "X-two: a, b", "application/json")
                .endsWith("{\"key\":\"" + VALUE + "\",\"n\":1.50}");
        String seen = result.spelling();
        assertThat(seen).doesNotContain(VALUE, "Tr0ub4dor").contains("Bearer {{vault:api}}");
        assertThat(at(result, "structuredContent", "status").spelling()).isEqualTo("200");
        assertThat(gateway.ledger().getLast().tool()).hasToString("postern__http_request");
        assertThat(gateway.ledger().getLast().secretRefs()).hasSize(1);
    }

    @Test
    @DisplayName("P9: the host is read from the URL, and a secret bound to others does not go there")
    void destinationRules() throws Exception {
        gateway.addSecret("bound", VALUE, "api.example.com", "127.0.0.1");
        gateway.addSecret("elsewhere", VALUE, "api.example.com");
        serve("/ok", 200, "text/plain", exchange -> "fine");
        assertThat(text(call("{\"url\":\"" + base + "/ok\",\"headers\":{\"X\":\"{{vault:bound}}\"}}")))
                .contains("HTTP 200");
        assertThat(text(call("{\"url\":\"" + base + "/ok\",\"headers\":{\"X\":\"{{vault:elsewhere}}\"}}")))
                .startsWith("SECRET_FORBIDDEN: ");
        assertThat(received).hasSize(1);
    }

    @ParameterizedTest
    @DisplayName("P1: what could not run is refused before anyone is asked")
    @ValueSource(
            strings = {
                "{}",
                "{\"url\":\"https://{{vault:api}}/x\"}",
                "{\"url\":\"https://{{vault:api}}.example.com/x\"}",
                "{\"url\":\"https://user:{{vault:api|uri}}@example.com/\"}",
                "{\"url\":\"//example.com/{{vault:api}}\"}",
                "{\"url\":\"file:///{{vault:api}}\"}",
                "{\"url\":\"https://example.com\\\\@evil.example/{{vault:api}}\"}",
                "{\"url\":\"https://example.com/\",\"method\":\"{{vault:api}}\"}",
                "{\"url\":\"https://example.com/\",\"method\":\"CONNECT\",\"body\":\"{{vault:api}}\"}",
                "{\"url\":\"https://example.com/\",\"headers\":{\"Host\":\"{{vault:api}}\"}}",
                "{\"url\":\"https://example.com/\",\"headers\":{\"A b\":\"{{vault:api}}\"}}",
                "{\"url\":\"https://example.com/\",\"headers\":{\"A\":\"x\\r\\nB: {{vault:api}}\"}}",
                "{\"url\":\"https://example.com/\",\"url\":\"https://other.example/{{vault:api}}\"}",
                "{\"url\":\"https://example.com/\",\"follow\":\"{{vault:api}}\"}",
                "{\"url\":\"https://example.com/\",\"body\":5,\"headers\":{\"A\":\"{{vault:api}}\"}}",
                "{\"url\":\"https://169.254.169.254/{{vault:api}}\"}",
                "{\"url\":\"https://[fd00:ec2::254]/{{vault:api}}\"}",
                "{\"url\":\"https://[::ffff:169.254.169.254]/{{vault:api}}\"}",
                "{\"url\":\"https://[64:ff9b::a9fe:a9fe]/{{vault:api}}\"}",
                "{\"url\":\"https://[2002:a9fe:a9fe::1]/{{vault:api}}\"}",
                "{\"url\":\"https://0.0.0.0/{{vault:api}}\"}",
                "{\"url\":\"http://plainer.invalid/{{vault:api}}\"}"
            })
    void refusedBeforeAnyoneIsAsked(String arguments) throws Exception {
        gateway.approving(false);
        assertThat(text(call(arguments))).matches("(?s)(INVALID_ARGS|SECRET_FORBIDDEN): .*");
        assertThat(gateway.approvals().pending()).isEmpty();
    }

    @Test
    @DisplayName("A host the operator named may get a secret over plain HTTP, and so may this machine")
    void plainHttp() throws Exception {
        assertThat(text(call("{\"url\":\"http://plain.invalid/\",\"headers\":{\"A\":\"{{vault:api}}\"}}")))
                .contains("the host's name leads nowhere");
        assertThat(text(call("{\"url\":\"http://plainer.invalid/\",\"headers\":{\"A\":\"{{vault:api}}\"}}")))
                .contains("plain http");
    }

    @Test
    @DisplayName("Neither the gateway nor a link-local address is reached, by whatever name")
    void addressesThatAreNeverReached() throws Exception {
        String own = "http://localhost:" + gateway.uri("/").getPort() + "/healthz";
        assertThat(text(call("{\"url\":\"" + own + "\"}"))).contains("never reached");
        assertThat(text(call("{\"url\":\"" + own.replace("localhost", "127.0.0.1") + "\"}")))
                .contains("never reached");
        assertThat(text(call("{\"url\":\"http://169.254.169.254/latest/meta-data\"}")))
                .contains("never reached");
    }

    @ParameterizedTest
    @DisplayName(
            "The gateway's own port is not reached by an IPv6 address that carries this machine's IPv4 address either")
    @ValueSource(strings = {"[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"})
    void ownPortByACarriedAddress(String host) throws Exception {
        AddressGuard guard = new AddressGuard(() -> 4711);
        assertThatThrownBy(() -> guard.checkLiteral(host, 4711))
                .isInstanceOf(AddressGuard.RefusedAddressException.class);
        guard.checkLiteral(host, 80);
    }

    @Test
    @DisplayName("A name that leads elsewhere the second time does not lead there")
    void aNameIsCheckedAtEachLookUp() throws Exception {
        AddressGuard guard = new AddressGuard(() -> 4711);
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        InetAddress metadata = InetAddress.ofLiteral("169.254.169.254");
        assertThat(AddressGuard.mayLead("localhost", metadata)).isTrue();
        try (AddressGuard.Guarding _ = guard.guard("localhost", 80)) {
            assertThat(AddressGuard.mayLead("LOCALHOST", metadata)).isFalse();
            assertThat(AddressGuard.mayLead("localhost", here)).isTrue();
        }
        assertThat(AddressGuard.mayLead("localhost", metadata)).isTrue();
    }

    @Test
    @DisplayName("Redirects are followed within the origin only, and carry a secret nowhere else")
    void redirects() throws Exception {
        serve("/end", 200, "text/plain", exchange -> "at the end");
        redirect("/near", 302, "/end");
        redirect("/far", 307, "http://localhost:" + server.getAddress().getPort() + "/end");
        redirect("/loop", 302, "/loop");
        String near = call("{\"url\":\"" + base + "/near\",\"method\":\"POST\",\"body\":\"{{vault:api}}\"}")
                .spelling();
        assertThat(near).contains("at the end");
        assertThat(received).hasSize(2);
        assertThat(received.getLast()).startsWith("GET /end").doesNotContain(VALUE);
        received.clear();
        JsonValue far = call("{\"url\":\"" + base + "/far\",\"method\":\"POST\",\"body\":\"{{vault:api}}\"}");
        assertThat(at(far, "structuredContent", "status").spelling()).isEqualTo("307");
        assertThat(text(far)).contains("is not followed", "location: http://localhost");
        assertThat(received).hasSize(1);
        received.clear();
        assertThat(text(call("{\"url\":\"" + base + "/loop\"}"))).contains("redirected 5 times");
        assertThat(received).hasSize(6);
    }

    @Test
    @DisplayName("S5: what is packed is unpacked to be scrubbed, or withheld from a request that bore a secret")
    void packedBodies() throws Exception {
        serve("/gzip", 200, "text/plain", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            return "key=" + VALUE;
        });
        serve("/br", 200, "text/plain", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "br");
            return "key=" + VALUE;
        });
        String headers = ",\"headers\":{\"A\":\"{{vault:api}}\"}}";
        assertThat(call("{\"url\":\"" + base + "/gzip\"" + headers).spelling())
                .contains("key={{vault:api}}")
                .doesNotContain(VALUE);
        assertThat(call("{\"url\":\"" + base + "/br\"" + headers).spelling())
                .contains("withheld")
                .doesNotContain(VALUE, "key=");
    }

    @ParameterizedTest
    @DisplayName(
            "S9: what cannot be looked into is withheld from a later request too, while a value may come back in it")
    @ValueSource(strings = {"br", "utf-16", "bytes"})
    void packedBodiesOfLaterRequests(String how) throws Exception {
        server.createContext("/kept", exchange -> {
            if (how.equals("br")) {
                exchange.getResponseHeaders().set("Content-Encoding", "br");
            }
            byte[] body = ("key=" + VALUE).getBytes(UTF_16LE);
            if (how.equals("br")) {
                body = new byte[] {(byte) 0xA1, (byte) 0xFF, 3}; // packed in whichever way
            }
            answer(exchange, 200, how.equals("utf-16") ? "text/plain" : "application/octet-stream", body);
        });
        String plain = call("{\"url\":\"" + base + "/kept\"}").spelling();
        assertThat(plain).as("nothing is out").contains("body_base64");
        assertThat(call("{\"url\":\"" + base + "/kept\",\"headers\":{\"A\":\"{{vault:api}}\"}}")
                        .spelling())
                .contains("withheld")
                .doesNotContain("body_base64");
        assertThat(call("{\"url\":\"" + base + "/kept\"}").spelling())
                .contains("withheld")
                .doesNotContain("body_base64");
    }

    @ParameterizedTest
    @DisplayName("S5: bytes that hold text of two or four bytes a character are withheld, whatever they are said to be")
    @CsvSource({
        "UTF-16LE,0",
        "UTF-16BE,0",
        "UTF-16,0",
        "UTF-32LE,0",
        "UTF-32BE,0",
        "UTF-16LE,1",
        "UTF-16BE,3",
        "UTF-32BE,2"
    })
    void wideText(String charset, int lead) throws Exception {
        server.createContext("/wide", exchange -> {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.write(new byte[] {(byte) 0x89, (byte) 0xC3, 7}, 0, lead);
            body.writeBytes(
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8).getBytes(Charset.forName(charset)));
            answer(exchange, 200, "application/x-any", body.toByteArray());
        });
        assertThat(call("{\"method\":\"PUT\",\"url\":\"" + base + "/wide\",\"body\":\"{{vault:api}}\"}")
                        .spelling())
                .contains("withheld")
                .doesNotContain("body_base64");
    }

    /** A caller may choose what an honest server declares: S3 and many others let it. */
    @ParameterizedTest
    @DisplayName("S1, S3: whatever charset a server declares, no value comes back garbled")
    @ValueSource(
            strings = {
                "text/plain;charset=utf-16be",
                "text/plain;charset=utf-16le",
                "text/plain;charset=IBM037",
                "text/plain;charset=utf-7",
                "text/plain;charset=iso-8859-1",
                "text/plain;charset=windows-1252",
                "text/plain;charset=windows-1251",
                "text/plain;charset=shift_jis",
                "text/plain;charset=no-such-charset",
                "text/plain",
                "application/octet-stream"
            })
    void declaredCharsets(String type) throws Exception {
        String wide = "pä55wörd-ünïcode-éàü-✓";
        gateway.addSecret("wide", wide);
        for (byte[] around : List.of(new byte[0], new byte[] {(byte) 0xFF}, new byte[] {0}, new byte[] {(byte) 0xE4})) {
            server.createContext("/declared", exchange -> {
                byte[] sent = exchange.getRequestBody().readAllBytes();
                ByteArrayOutputStream body = new ByteArrayOutputStream();
                body.writeBytes(around);
                body.writeBytes(sent);
                body.writeBytes(around);
                exchange.getResponseHeaders().set("X-Echo", new String(wide.getBytes(UTF_8), ISO_8859_1));
                answer(exchange, 200, type, body.toByteArray());
            });
            JsonValue result = call("{\"method\":\"POST\",\"url\":\"" + base
                    + "/declared\",\"body\":\"{{vault:wide}} {{vault:api}} {{vault:wide}}\"}");
            server.removeContext("/declared");
            String seen = result.spelling();
            List<Charset> charsets = List.of(
                    UTF_8,
                    ISO_8859_1,
                    UTF_16BE,
                    UTF_16LE,
                    Charset.forName("IBM037"),
                    Charset.forName("windows-1252"),
                    Charset.forName("windows-1251"),
                    Charset.forName("shift_jis"));
            for (Charset charset : charsets) {
                String turnedBack = new String(seen.getBytes(charset), UTF_8);
                assertThat(turnedBack).as("%s, read as %s", type, charset).doesNotContain(VALUE, wide, "wörd");
            }
            for (JsonValue block : at(result, "content").elements()) {
                JsonValue blob = block.path("resource", "blob");
                if (blob != null) {
                    byte[] opened = Base64.getDecoder().decode(String.valueOf(blob.string()));
                    assertThat(new String(opened, ISO_8859_1)).doesNotContain(VALUE);
                    assertThat(new String(opened, UTF_8)).doesNotContain(wide);
                }
            }
        }
    }

    @Test
    @DisplayName("Pages in an old charset still read as text")
    void oldCharsets() throws Exception {
        server.createContext(
                "/old",
                exchange -> answer(exchange, 200, "text/plain; charset=ISO-8859-1", "café".getBytes(ISO_8859_1)));
        assertThat(at(call("{\"url\":\"" + base + "/old\"}"), "structuredContent", "body")
                        .string())
                .isEqualTo("café");
    }

    @Test
    @DisplayName("A body that is no text comes as a blob; JSON comes as JSON; one too long is cut")
    void bodies() throws Exception {
        server.createContext("/blob", exchange -> answer(exchange, 200, "image/x", new byte[] {(byte) 0xFF, 0, 1}));
        serve("/json", 200, "application/json", exchange -> "{\"id\": 1.50}");
        server.createContext("/long", exchange -> answer(exchange, 200, "text/plain", new byte[3 << 20]));
        JsonValue blob = call("{\"url\":\"" + base + "/blob\"}");
        assertThat(at(blob, "structuredContent", "body_base64").string()).isEqualTo("/wAB");
        assertThat(at(at(blob, "content").elements().get(1), "resource", "mimeType")
                        .string())
                .isEqualTo("image/x");
        assertThat(at(call("{\"url\":\"" + base + "/json\"}"), "structuredContent", "body")
                        .spelling())
                .isEqualTo("{\"id\": 1.50}");
        assertThat(text(call("{\"url\":\"" + base + "/long\"}"))).contains("the body is cut after 1048576 bytes");
    }

    @Test
    @DisplayName("A server that does not answer in time is given up, and so is one that is not there")
    void failures() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        server.createContext("/never", exchange -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(text(call("{\"url\":\"" + base + "/never\",\"timeout_seconds\":1}")))
                .startsWith("TIMED_OUT");
        end.countDown();
        server.stop(0);
        assertThat(text(call("{\"url\":\"" + base + "/gone\"}"))).startsWith("FAILED: the server could not be reached");
    }

    private interface Answer {
        String of(HttpExchange exchange) throws IOException;
    }

    private void serve(String path, int status, String type, Answer body) {
        server.createContext(path, exchange -> {
            receive(exchange);
            byte[] bytes = body.of(exchange).getBytes(UTF_8);
            if ("gzip".equals(exchange.getResponseHeaders().getFirst("Content-Encoding"))) {
                ByteArrayOutputStream packed = new ByteArrayOutputStream();
                try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                    gzip.write(bytes);
                }
                bytes = packed.toByteArray();
            }
            answer(exchange, status, type, bytes);
        });
    }

    private void redirect(String path, int status, String location) {
        server.createContext(path, exchange -> {
            receive(exchange);
            exchange.getResponseHeaders().set("Location", location);
            answer(exchange, status, "text/plain", new byte[] {'x'});
        });
    }

    private void receive(HttpExchange exchange) throws IOException {
        StringBuilder seen = new StringBuilder(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        exchange.getRequestHeaders()
                .forEach((name, values) ->
                        seen.append('\n').append(name).append(": ").append(String.join(", ", values)));
        seen.append('\n').append(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        received.add(seen.toString());
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    private JsonValue call(String arguments) throws Exception {
        String body = agent.call(
                        "tools/call", ",\"name\":" + JsonStrings.quote("http_request") + ",\"arguments\":" + arguments)
                .body();
        return at(JsonValue.parse(body.getBytes(UTF_8)), "result");
    }

    private static String text(JsonValue result) {
        return String.valueOf(at(result, "content").elements().getFirst().string("text"));
    }

    private static JsonValue at(JsonValue value, String... names) {
        return requireNonNull(value.path(names), () -> "no " + String.join("/", names) + " in " + value.spelling());
    }
}
