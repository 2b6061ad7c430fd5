package dev.postern.mcp.server;

import dev.postern.mcp.tls.TlsKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.3 and 1.2, with HTTP/2 or HTTP/1.1 as the client likes. Keys that were renewed on the disk are taken up while running;
 * connections that are open stay as they are.
 */
final class Tls {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    /** An agent with many calls may have one connection for all of them; the default is 128. */
    private static final int STREAMS_A_CONNECTION = 1_024;

    private final SslContextFactory.Server factory = new SslContextFactory.Server();
    private final TlsKeys keys;
    private List<FileTime> seen = List.of();

    /**
     * Reads the keys.
     *
     * @throws IOException with a sentence, if they cannot be used
     */
    Tls(TlsKeys keys) throws IOException {
        this.keys = keys;
        seen = times();
        factory.setKeyStore(keys.load());
        factory.setKeyStorePassword("");
        factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        factory.setExcludeCipherSuites();
        // Forward secrecy and authenticated encryption, which is all that browsers still offer.
        factory.setIncludeCipherSuites(
                "TLS_AES_.*", "TLS_CHACHA20_.*", "TLS_ECDHE_.*_GCM_.*", "TLS_ECDHE_.*_CHACHA20_.*");
        factory.setRenegotiationAllowed(false);
        // What a request may be for is judged by its Host, for every way it comes.
        factory.setSniRequired(false);
    }

    /** What a connector speaks; {@code configuration} is of its requests. */
    List<ConnectionFactory> protocols(HttpConfiguration configuration) {
        SecureRequestCustomizer secure = new SecureRequestCustomizer(false);
        HttpConfiguration encrypted = new HttpConfiguration(configuration);
        encrypted.addCustomizer(secure);
        HttpConnectionFactory one = new HttpConnectionFactory(encrypted);
        HTTP2ServerConnectionFactory two = new HTTP2ServerConnectionFactory(encrypted);
        two.setMaxConcurrentStreams(STREAMS_A_CONNECTION);
        two.setConnectProtocolEnabled(false);
        // As clients spell them, which is not how Jetty's HTTP/1.1 spells itself.
        ALPNServerConnectionFactory choice = new ALPNServerConnectionFactory("h2", "http/1.1");
        choice.setDefaultProtocol(one.getProtocol());
        return List.of(new SslConnectionFactory(factory, choice.getProtocol()), choice, two, one);
    }

    /** Takes up keys that were changed. Called now and then, by one thread. */
    void renew() {
        List<FileTime> now = times();
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        try {
            var store = keys.load();
            factory.reload(changed -> changed.setKeyStore(store));
            LOG.info("took up the changed key and certificates of TLS");
        } catch (Exception e) {
            LOG.warn(
                    "kept the old key and certificates of TLS: {}",
                    e instanceof IOException ? e.getMessage() : e.getClass().getName());
        }
    }

    private List<FileTime> times() {
        List<FileTime> times = new ArrayList<>();
        for (Path file : keys.files()) {
            try {
                times.add(Files.getLastModifiedTime(file));
            } catch (IOException e) {
                times.add(FileTime.fromMillis(0));
            }
        }
        return times;
    }
}
