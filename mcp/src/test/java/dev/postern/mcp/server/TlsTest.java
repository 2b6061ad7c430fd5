package dev.postern.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.mcp.tls.TlsKeys;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.server.Certificates;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS and HTTP/2 of the gateway's own server. */
@Timeout(300)
class TlsTest {
    @TempDir
    private Path directory = Path.of("");

    /** Says whether it was asked by TLS. */
    private static final class Secure extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            response.getHeaders().put("X-Secure", Boolean.toString(request.isSecure()));
            callback.succeeded();
            return true;
        }
    }

    private static McpServer serve(TlsKeys keys) throws IOException {
        McpServer server = McpServer.bind("127.0.0.1", 0);
        try {
            server.secure(keys);
            server.serve(handler -> new Secure(), null, List.of());
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static HttpResponse<Void> get(McpServer server, SSLContext trusted, Version version, String... protocols)
            throws Exception {
        HttpClient.Builder client = HttpClient.newBuilder().sslContext(trusted).version(version);
        if (protocols.length > 0) {
            client.sslParameters(new SSLParameters(null, protocols));
        }
        try (HttpClient http = client.build()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/")).build(), BodyHandlers.discarding());
        }
    }

    private static String serial(HttpResponse<?> response) throws Exception {
        return ((X509Certificate) response.sslSession().orElseThrow().getPeerCertificates()[0])
                .getSerialNumber()
                .toString();
    }

    @Test
    void clientsGetHttpTwoOrOneByTls() throws Exception {
        Certificates certificates = Certificates.in(directory, "rsa", "RSA");
        try (McpServer server = serve(TlsKeys.pem(certificates.certificate(), certificates.key()))) {
            assertThat(server.url()).startsWith("https://127.0.0.1:");
            HttpResponse<Void> two = get(server, certificates.trusted(), Version.HTTP_2);
            assertThat(two.version()).isEqualTo(Version.HTTP_2);
            assertThat(two.headers().firstValue("X-Secure")).hasValue("true");
            assertThat(two.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
            HttpResponse<Void> one = get(server, certificates.trusted(), Version.HTTP_1_1, "TLSv1.2");
            assertThat(one.version()).isEqualTo(Version.HTTP_1_1);
            assertThat(one.sslSession().orElseThrow().getCipherSuite()).contains("ECDHE");
        }
    }

    /** What a client is told on its first breath; it has to keep to it (RFC 9113, section 5.1.2). */
    @Test
    void aConnectionOfHttpTwoMayHaveSoManyStreams() throws Exception {
        Certificates certificates = Certificates.in(directory, "streams", "EC");
        try (McpServer server = serve(TlsKeys.pem(certificates.certificate(), certificates.key()));
                SSLSocket socket = (SSLSocket)
                        certificates.trusted().getSocketFactory().createSocket("127.0.0.1", server.port())) {
            SSLParameters offered = socket.getSSLParameters();
            offered.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(offered);
            socket.startHandshake();
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0}); // our settings: as usual
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] header = in.readNBytes(9);
            assertThat(header[3]).as("a frame of settings").isEqualTo((byte) 4);
            Map<Integer, Integer> settings = new HashMap<>();
            for (int left = header[2] & 0xff; left > 0; left -= 6) {
                settings.put(in.readUnsignedShort(), in.readInt());
            }
            assertThat(settings).as("SETTINGS_MAX_CONCURRENT_STREAMS").containsEntry(3, 1_024);
        }
    }

    @Test
    void aClientThatOffersHttpOneAloneGetsIt() throws Exception {
        Certificates certificates = Certificates.in(directory, "alpn", "EC");
        try (McpServer server = serve(TlsKeys.pem(certificates.certificate(), certificates.key()));
                SSLSocket socket = (SSLSocket)
                        certificates.trusted().getSocketFactory().createSocket("127.0.0.1", server.port())) {
            SSLParameters offered = socket.getSSLParameters();
            offered.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(offered);
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
        }
    }

    @Test
    void olderTlsAndPlainHttpAreNotSpoken() throws Exception {
        Certificates certificates = Certificates.in(directory, "ec", "EC");
        try (McpServer server = serve(TlsKeys.pem(certificates.certificate(), certificates.key()))) {
            assertThatThrownBy(() -> get(server, certificates.trusted(), Version.HTTP_1_1, "TLSv1.1"))
                    .isInstanceOf(SSLException.class);
            URI plain = URI.create(server.url().replace("https:", "http:") + "/");
            try (HttpClient http = HttpClient.newHttpClient()) {
                assertThatThrownBy(() -> http.send(HttpRequest.newBuilder(plain).build(), BodyHandlers.discarding()))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void aPkcs12FileWorksToo() throws Exception {
        Certificates certificates = Certificates.in(directory, "p12", "EC");
        SecretValue password = new SecretValue(Certificates.PASSWORD.getBytes(StandardCharsets.UTF_8));
        try (McpServer server = serve(TlsKeys.pkcs12(certificates.keystore(), password))) {
            assertThat(get(server, certificates.trusted(), Version.HTTP_2).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void renewedKeysAreTakenUpWhileRunningAndBrokenOnesAreNot() throws Exception {
        Certificates first = Certificates.in(directory, "first", "RSA");
        Certificates second = Certificates.in(directory, "second", "EC");
        Path certificate = Files.copy(first.certificate(), directory.resolve("live.pem"));
        Path key = Files.copy(first.key(), directory.resolve("live.key"));
        try (McpServer server = serve(TlsKeys.pem(certificate, key))) {
            String before = serial(get(server, first.trusted(), Version.HTTP_2));
            Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n");
            Files.setLastModifiedTime(certificate, FileTime.fromMillis(1_000_000));
            server.renewKeys();
            assertThat(serial(get(server, first.trusted(), Version.HTTP_2))).isEqualTo(before);
            Files.write(certificate, Files.readAllBytes(second.certificate()));
            Files.write(key, Files.readAllBytes(second.key()));
            Files.setLastModifiedTime(certificate, FileTime.fromMillis(2_000_000));
            server.renewKeys();
            assertThat(serial(get(server, second.trusted(), Version.HTTP_2))).isNotEqualTo(before);
        }
    }

    @Test
    void whatCannotBeUsedIsSaidWithItsFileAndRemedy() throws Exception {
        Certificates rsa = Certificates.in(directory, "one", "RSA");
        Certificates other = Certificates.in(directory, "two", "RSA");
        assertThatThrownBy(() -> serve(TlsKeys.pem(directory.resolve("none.pem"), rsa.key())))
                .hasMessageContaining("none.pem");
        assertThatThrownBy(() -> serve(TlsKeys.pem(rsa.certificate(), rsa.certificate())))
                .hasMessageContaining("openssl pkcs8");
        assertThatThrownBy(() -> serve(TlsKeys.pem(rsa.certificate(), other.key())))
                .hasMessageContaining("issued together");
        assertThatThrownBy(() -> serve(
                        TlsKeys.pkcs12(rsa.keystore(), new SecretValue("wrong".getBytes(StandardCharsets.UTF_8)))))
                .hasMessageContaining("password");
    }
}
