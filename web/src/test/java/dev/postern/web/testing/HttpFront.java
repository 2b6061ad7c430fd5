package dev.postern.web.testing;

import dev.postern.web.http.Router;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A router on a loopback port. */
public final class HttpFront implements AutoCloseable {
    private final Router router;
    private final Server server;
    private final ServerConnector connector;

    public HttpFront(Router router) throws Exception {
        this(router, handler -> handler);
    }

    /** @param guard what every request passes first, around the router */
    public HttpFront(Router router, UnaryOperator<Handler> guard) throws Exception {
        this.router = router;
        QueuedThreadPool pool = new QueuedThreadPool(8, 2);
        pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        server = new Server(pool);
        connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(guard.apply(router));
        server.start();
    }

    public String origin() {
        return "http://127.0.0.1:" + connector.getLocalPort();
    }

    public Router router() {
        return router;
    }

    @Override
    public void close() throws Exception {
        router.close();
        server.stop();
    }
}
