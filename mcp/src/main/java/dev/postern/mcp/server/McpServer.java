package dev.postern.mcp.server;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The gateway's HTTP server: Jetty's core, a virtual thread a request, the MCP endpoint and whatever other handlers are
 * given. Closing it ends sessions and streams first, then lets requests finish.
 */
public final class McpServer implements AutoCloseable {
    private static final long IDLE_MILLIS = 30_000;
    private static final long STOP_MILLIS = 5_000;

    static {
        // Without it Jetty starts the JMX agent to ask for the size of a cache line: 130 ms.
        System.setProperty("org.eclipse.jetty.util.referencesPerCacheLine", "16");
    }

    private final Server server;
    private final ServerConnector connector;
    private final McpHandler mcp;
    private final ScheduledExecutorService tidying = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("mcp-tidy").factory());

    private McpServer(Server server, ServerConnector connector, McpHandler mcp) {
        this.server = server;
        this.connector = connector;
        this.mcp = mcp;
    }

    /**
     * Starts listening.
     *
     * @param port 0 for any free one
     * @param guard makes what every request passes first, such as {@link OriginGuard}, around the handlers
     * @param others tried in order where the path is not the endpoint's
     * @throws java.io.IOException if the port is taken or the host is not this machine's
     */
    public static McpServer start(
            String host, int port, UnaryOperator<Handler> guard, McpHandler mcp, List<Handler> others)
            throws Exception {
        QueuedThreadPool pool = new QueuedThreadPool(8, 2);
        pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        Server server = new Server(pool);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(false);
        ServerConnector connector = new ServerConnector(server, 0, 1, new HttpConnectionFactory(configuration));
        connector.setHost(host);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_MILLIS);
        connector.setShutdownIdleTimeout(500);
        server.addConnector(connector);
        Handler.Sequence handlers = new Handler.Sequence();
        handlers.addHandler(mcp);
        others.forEach(handlers::addHandler);
        server.setHandler(new GracefulHandler(guard.apply(handlers)));
        server.setStopTimeout(STOP_MILLIS);
        McpServer started = new McpServer(server, connector, mcp);
        try {
            server.start();
        } catch (Exception e) {
            server.stop();
            throw e;
        }
        ScheduledFuture<?> _ = started.tidying.scheduleWithFixedDelay(mcp::tidy, 10, 10, TimeUnit.SECONDS);
        return started;
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Ends sessions and streams, then the server. */
    @Override
    public void close() {
        tidying.shutdownNow();
        mcp.endAll();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server did not stop cleanly", e);
        }
    }
}
