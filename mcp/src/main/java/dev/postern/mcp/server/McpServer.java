package dev.postern.mcp.server;

import dev.postern.mcp.tls.TlsKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's HTTP server: Jetty's core, a virtual thread a request, the MCP endpoint and whatever other handlers are
 * given; by TLS, with HTTP/2, where there are keys for it. Closing it ends sessions and streams first, then lets requests finish.
 */
public final class McpServer implements AutoCloseable {
    /** A connection keeps its buffer while its call waits for a person; most requests fit all the same. */
    private static final int INPUT_BUFFER_BYTES = 2048;

    private static final int LARGEST_POOLED_BYTES = 64 << 10;

    /** The default is 50: agents that all call at once would find some of their connections reset. */
    private static final int CONNECTIONS_NOT_YET_ACCEPTED = 4096;

    /** How long a connection may make no way, in either direction, while something is to come or to go. */
    public static final Duration IDLE = Duration.ofSeconds(30);

    private static final long STOP_MILLIS = 5_000;

    static {
        // Without it Jetty starts the JMX agent to ask for the size of a cache line: 130 ms.
        System.setProperty("org.eclipse.jetty.util.referencesPerCacheLine", "16");
    }

    private final Server server;
    private final ServerConnector connector;
    private final ScheduledExecutorService tidying = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("mcp-tidy").factory());
    private String scheme = "http";
    private @Nullable Tls tls;
    private @Nullable McpHandler mcp;

    private McpServer(Server server, ServerConnector connector) {
        this.server = server;
        this.connector = connector;
    }

    /**
     * Takes the address, so that it is known before anything is served on it; until {@link #serve} connections wait.
     *
     * @param port 0 for any free one
     * @throws IOException if the port is taken or the host is not this machine's; one sentence that names the remedy
     */
    public static McpServer bind(String host, int port) throws IOException {
        return bind(host, port, IDLE);
    }

    /**
     * As {@link #bind(String, int)}.
     *
     * @param idle instead of {@link #IDLE}
     */
    public static McpServer bind(String host, int port, Duration idle) throws IOException {
        QueuedThreadPool pool = new QueuedThreadPool(8, 2);
        pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        Server server = new Server(pool);
        HttpConnectionFactory connections = new HttpConnectionFactory(configuration());
        connections.setInputBufferSize(INPUT_BUFFER_BYTES);
        ServerConnector connector = new ServerConnector(server, null, null, buffers(), 1, 1, connections);
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(idle.toMillis());
        connector.setAcceptQueueSize(CONNECTIONS_NOT_YET_ACCEPTED);
        connector.setShutdownIdleTimeout(500);
        server.addConnector(connector);
        server.setStopTimeout(STOP_MILLIS);
        try {
            connector.open();
        } catch (IOException e) {
            throw new IOException(
                    "the address " + host + " port " + port
                            + " cannot be used, most likely because another program uses it; choose another port, or 0 for a free one.",
                    e);
        }
        return new McpServer(server, connector);
    }

    /** Of sizes that are a multiple of a connection's: by default the smallest buffer has 4 KiB. */
    private static ByteBufferPool buffers() {
        return new ArrayByteBufferPool(0, INPUT_BUFFER_BYTES, LARGEST_POOLED_BYTES);
    }

    private static HttpConfiguration configuration() {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(false);
        return configuration;
    }

    /** Will be served by TLS alone: its {@link #url} says so from now on. */
    public void secure() {
        scheme = "https";
    }

    /**
     * Serves by TLS alone, with HTTP/2 where the client can. Call it before {@link #serve}.
     *
     * @throws IOException with a sentence, if the keys cannot be used
     */
    public void secure(TlsKeys keys) throws IOException {
        secure();
        Tls made = new Tls(keys);
        List<ConnectionFactory> protocols = made.protocols(configuration());
        connector.setConnectionFactories(protocols);
        connector.setDefaultProtocol(protocols.getFirst().getProtocol());
        tls = made;
    }

    /** As {@link #bind} and {@link #serve} together. */
    public static McpServer start(
            String host, int port, UnaryOperator<Handler> guard, McpHandler mcp, List<? extends Handler> others)
            throws IOException {
        McpServer started = bind(host, port);
        started.serve(guard, mcp, others);
        return started;
    }

    /**
     * Serves from now on.
     *
     * @param guard makes what every request passes first, such as {@link OriginGuard}, around the handlers
     * @param others tried in order where the path is not the endpoint's
     */
    public void serve(UnaryOperator<Handler> guard, @Nullable McpHandler endpoint, List<? extends Handler> others) {
        mcp = endpoint;
        Handler.Sequence handlers = new Handler.Sequence();
        if (endpoint != null) {
            handlers.addHandler(endpoint);
        }
        others.forEach(handlers::addHandler);
        server.setHandler(new GracefulHandler(guard.apply(handlers)));
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not start", e);
        }
        var _ = tidying.scheduleWithFixedDelay(this::tidy, 10, 10, TimeUnit.SECONDS);
    }

    private void tidy() {
        if (mcp != null) {
            mcp.tidy();
        }
        renewKeys();
    }

    /** Takes up keys of TLS that were changed on the disk; it is done every ten seconds anyway. */
    void renewKeys() {
        if (tls != null) {
            tls.renew();
        }
    }

    /** Such as {@code http://127.0.0.1:7437}. */
    public String url() {
        String host = connector.getHost();
        return scheme + "://" + (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Ends sessions and streams, then the server. */
    @Override
    public void close() {
        tidying.shutdownNow();
        if (mcp != null) {
            mcp.endAll();
        }
        try {
            server.stop();
            connector.close();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not stop cleanly", e);
        }
    }
}
