package dev.postern.testkit.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * A reverse proxy that ends TLS, as nginx or Caddy do in front of a server on the same machine: the {@code Host} is passed on, what
 * it saw goes into {@code X-Forwarded-For}, {@code -Proto} and {@code -Host}, and responses flow through as they come. HTTP/1.1, a
 * connection for each request.
 */
public final class TlsProxy implements AutoCloseable {
    private static final int MAX_HEAD_BYTES = 64 << 10;

    private final SSLServerSocket listener;
    private final int upstream;

    /** @param upstream the port on this machine that everything is passed on to */
    public TlsProxy(Certificates certificates, int upstream) throws Exception {
        this.upstream = upstream;
        listener = (SSLServerSocket) context(certificates)
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("tls-proxy").start(this::accept);
    }

    private static SSLContext context(Certificates certificates) throws Exception {
        KeyStore store = KeyStore.getInstance(certificates.keystore().toFile(), Certificates.PASSWORD.toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, Certificates.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    /** Where it listens, on loopback. */
    public int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofPlatform().daemon().start(() -> serve(client));
            } catch (IOException e) {
                // closed, or a client that went away
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), upstream)) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            List<String> head = head(in);
            if (head.isEmpty()) {
                return;
            }
            OutputStream out = server.getOutputStream();
            out.write(String.join("\r\n", forwarded(head, client)).getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            Thread.ofPlatform().daemon().start(() -> pass(in, out)); // ends with either of the two connections
            pass(server.getInputStream(), client.getOutputStream());
        } catch (IOException e) {
            // one of the two went away
        }
    }

    /** Request line and headers; empty where the client goes before they are whole. */
    private static List<String> head(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0 || bytes.size() == MAX_HEAD_BYTES) {
                return List.of();
            }
            bytes.write(next);
        }
        return List.of(bytes.toString(StandardCharsets.ISO_8859_1).strip().split("\r\n"));
    }

    private static List<String> forwarded(List<String> head, Socket client) {
        List<String> lines = new ArrayList<>();
        String host = "";
        for (String line : head) {
            String name = line.substring(0, Math.max(0, line.indexOf(':'))).toLowerCase(Locale.ROOT);
            if (name.equals("host")) {
                host = line.substring(line.indexOf(':') + 1).strip();
            }
            if (!name.equals("connection") && !name.startsWith("x-forwarded-")) {
                lines.add(line);
            }
        }
        lines.add("Connection: close");
        lines.add("X-Forwarded-For: " + client.getInetAddress().getHostAddress());
        lines.add("X-Forwarded-Proto: https");
        lines.add("X-Forwarded-Host: " + host);
        lines.add("");
        lines.add("");
        return lines;
    }

    private static void pass(InputStream from, OutputStream to) {
        byte[] buffer = new byte[16 << 10];
        try {
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                to.write(buffer, 0, read);
                to.flush();
            }
        } catch (IOException e) {
            // one of the two went away
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
