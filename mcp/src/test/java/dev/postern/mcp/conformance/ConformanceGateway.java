package dev.postern.mcp.conformance;

import dev.postern.mcp.client.ConnectionLimits;
import dev.postern.mcp.client.Dialer;
import dev.postern.mcp.client.ServerSpec;
import dev.postern.mcp.fixture.Gateway;
import java.net.URI;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A gateway before one server, for the official conformance suites, which have no keys: whoever comes is taken for the
 * test agent.
 */
final class ConformanceGateway implements AutoCloseable {
    private final Dialer dialer = new Dialer(ConnectionLimits.standard());
    private final Gateway gateway;

    ConformanceGateway(int port, URI server) throws Exception {
        gateway = Gateway.over(dialer, Map.of("s", () -> new ServerSpec.Http(server, Map.of())), port, WithKey::new);
    }

    /** For trying a suite by hand. Arguments: a port, and the server's URL. Runs until its input ends. */
    public static void main(String[] arguments) throws Exception {
        try (ConformanceGateway gateway =
                new ConformanceGateway(Integer.parseInt(arguments[0]), URI.create(arguments[1]))) {
            System.out.println("ready " + gateway.endpoint());
            while (System.in.read() >= 0) {
                // Nothing that is said matters, only the end.
            }
        }
    }

    /** Where the server is offered alone. */
    URI endpoint() {
        return gateway.uri("/mcp/s");
    }

    @Override
    public void close() {
        gateway.close();
        dialer.close();
    }

    /** Adds the agent's key to every request. */
    private static final class WithKey extends Handler.Wrapper {
        WithKey(Handler inner) {
            super(inner);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            HttpFields headers = HttpFields.build(request.getHeaders())
                    .put(HttpHeader.AUTHORIZATION, "Bearer " + Gateway.KEY)
                    .asImmutable();
            Request keyed = new Request.Wrapper(request) {
                @Override
                public HttpFields getHeaders() {
                    return headers;
                }
            };
            return super.handle(keyed, response, callback);
        }
    }
}
