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
 * one, must be at such a host too.
 */
public final class OriginGuard extends Handler.Wrapper {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final Set<String> names;

    /**
     * @param handler what is guarded
     * @param names further host names under which the gateway is reached
     */
    public OriginGuard(Handler handler, Set<String> names) {
        super(handler);
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
        if (origin != null && !isOwnWithoutReferrer(request, origin) && !isAllowedOrigin(origin, host)) {
            Problems.write(
                    response,
                    callback,
                    HttpStatus.FORBIDDEN_403,
                    "requests of pages from another origin are not served");
            return true;
        }
        return super.handle(request, response, callback);
    }

    /** A page of ours that tells nobody its address says {@code null} to us too; the browser still says that it is ours. */
    private static boolean isOwnWithoutReferrer(Request request, String origin) {
        return origin.equals("null")
                && "same-origin".equals(request.getHeaders().get("Sec-Fetch-Site"));
    }

    private boolean isAllowedOrigin(String origin, String host) {
        String from = hostOf(origin);
        return from != null && (isOurs(from) || (isAddress(host) && from.equalsIgnoreCase(host)));
    }

    private static @Nullable String hostOf(String origin) {
        try {
            URI uri = new URI(origin);
            boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            return web ? uri.getHost() : null;
        } catch (URISyntaxException e) {
            return null;
        }
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
