package dev.postern.mcp.server;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Turns away what a web page of somewhere else sends (A4): the {@code Host} must be a loopback name, an IP address or a
 * name that the operator configured, because a rebound DNS name is none of them; and an {@code Origin}, where there is
 * one, must be this gateway's: at such a host and at the port that the request came to, because another port of this machine is
 * another origin; or the address that the operator says people reach the gateway at. A foreign host is always told the same,
 * since a page under its name could read more.
 */
public final class OriginGuard extends Handler.Wrapper {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final Set<String> names;
    private final Set<String> origins;
    private final Request.Handler foreign;

    /** With one answer for every path. */
    public OriginGuard(Handler handler, Set<String> names, Set<String> origins) {
        this(handler, names, origins, (request, response, callback) -> false);
    }

    /**
     * @param handler what is guarded
     * @param names further host names under which the gateway is reached
     * @param origins origins of the gateway as people see it, where that is another than what it is asked for: behind a proxy
     * @param foreign refuses what comes from another origin in words of its own; false where it has none for the path
     */
    public OriginGuard(Handler handler, Set<String> names, Set<String> origins, Request.Handler foreign) {
        super(handler);
        this.foreign = foreign;
        this.origins =
                origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        this.names = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String host = Request.getServerName(request);
        if (host == null || !(isOurs(host) || isAddress(host))) {
            Problems.write(
                    response,
                    callback,
                    HttpStatus.MISDIRECTED_REQUEST_421,
                    "the Host header names a host that is not this gateway; reach it by its address or configure the name");
            return true;
        }
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        if (origin != null
                && !isOwnWithoutReferrer(request, origin)
                && !isAllowedOrigin(origin, host, request.getHttpURI().getPort())) {
            if (!foreign.handle(request, response, callback)) {
                Problems.write(
                        response,
                        callback,
                        HttpStatus.FORBIDDEN_403,
                        "requests of pages from another origin are not served");
            }
            return true;
        }
        return super.handle(request, response, callback);
    }

    /** A page of ours that tells nobody its address says {@code null} to us too; the browser still says that it is ours. */
    private static boolean isOwnWithoutReferrer(Request request, String origin) {
        return origin.equals("null")
                && "same-origin".equals(request.getHeaders().get("Sec-Fetch-Site"));
    }

    private boolean isAllowedOrigin(String origin, String host, int port) {
        if (origins.contains(origin.toLowerCase(Locale.ROOT))) {
            return true;
        }
        URI from = uriOf(origin);
        String name = from == null ? null : from.getHost();
        return from != null
                && name != null
                && shown(from.getPort()) == shown(port)
                && (isOurs(name) || (isAddress(host) && name.equalsIgnoreCase(host)));
    }

    private static @Nullable URI uriOf(String origin) {
        try {
            URI uri = new URI(origin);
            boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            boolean bare = uri.getRawUserInfo() == null && uri.getRawPath().isEmpty();
            return web && bare ? uri : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** A port as browsers show it: the two that go without saying are none. */
    private static int shown(int port) {
        return port == 80 || port == 443 ? -1 : port;
    }

    private boolean isOurs(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return LOOPBACK.contains(name) || names.contains(name);
    }

    /** An IP literal: its characters cannot make a DNS name that someone could rebind. */
    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }
}
