package dev.postern.web;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** {@code /healthz}: the process serves; {@code /readyz}: it takes calls. Open to anyone; they tell nothing else. */
public final class HealthHandler extends Handler.Abstract.NonBlocking {
    private volatile boolean ready;

    /** From now on {@code /readyz} says so. */
    public void ready(boolean now) {
        ready = now;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        boolean passed;
        switch (Request.getPathInContext(request)) {
            case "/healthz" -> passed = true;
            case "/readyz" -> passed = ready;
            default -> {
                return false;
            }
        }
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            response.setStatus(HttpStatus.METHOD_NOT_ALLOWED_405);
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            callback.succeeded();
            return true;
        }
        response.setStatus(passed ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        String body = passed ? "{\"status\":\"up\"}" : "{\"status\":\"starting\"}";
        response.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.US_ASCII)), callback);
        return true;
    }
}
