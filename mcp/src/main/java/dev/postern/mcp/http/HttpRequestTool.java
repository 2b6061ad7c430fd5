package dev.postern.mcp.http;

import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.Refusal;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.gate.vault.ArgumentPath;
import dev.postern.json.JsonValue;
import dev.postern.mcp.catalog.OwnCall;
import dev.postern.mcp.catalog.OwnTool;
import dev.postern.mcp.catalog.OwnTools;
import dev.postern.mcp.client.OutgoingHttp;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * {@code http_request}: an HTTP request with references anywhere but in the host. Redirects are followed within one origin only;
 * a secret goes over TLS, to this machine, or to a host the operator named for plain HTTP. Thread-safe; close it last.
 */
public final class HttpRequestTool implements OwnTool, AutoCloseable {
    private static final byte[] DEFINITION = """
            {"name":"http_request","title":"Make an HTTP request","description":"Makes one HTTP request and answers with status, \
            headers and body. Secrets go in by reference, anywhere in a header, the body or the URL after the host: \
            {\\"headers\\":{\\"Authorization\\":\\"Bearer {{vault:NAME}}\\"}}, {{vault:NAME|basic}} for basic authentication, \
            {{vault:NAME|uri}} within a URL. A person sees the host and approves; the server receives the value; in what comes \
            back you see the reference again. Never ask a person to paste a secret, and never print a redeemed link. A request with a secret is \
            sent over https. Redirects to another host are not followed but returned.","inputSchema":{"type":"object",\
            "properties":{"method":{"type":"string","enum":["GET","HEAD","POST","PUT","PATCH","DELETE","OPTIONS"],\
            "default":"GET"},"url":{"type":"string","description":"https://host/path?query"},"headers":{"type":"object",\
            "additionalProperties":{"type":["string","array"],"items":{"type":"string"}},"description":"Header names and \
            values"},"body":{"type":["string","object","array"],"description":"Text as it is; an object or array is sent as \
            JSON"},"timeout_seconds":{"type":"integer","minimum":1,"maximum":300,"default":30}},"required":["url"],\
            "additionalProperties":false},"annotations":{"readOnlyHint":false,"openWorldHint":true}}""".getBytes(StandardCharsets.UTF_8);

    /** As the ledger and destination rules name it. */
    public static final ToolName TOOL = new ToolName(OwnTool.SERVER, "http_request");

    /** Where it leads: nothing else in its arguments is gone to. */
    public static final List<ArgumentPath> DESTINATION = List.of(ArgumentPath.parse("url"));

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int MAX_REDIRECTS = 5;
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);

    private final AddressGuard guard;
    private final Predicate<String> mayBePlain;
    private final Predicate<String> hasValuesOut;
    private final OutgoingHttp http = new OutgoingHttp("postern-http-request", CONNECT_PATIENCE);

    /**
     * The tool of one gateway.
     *
     * @param mayBePlain whether a secret may go to this host over plain HTTP; this machine always may
     * @param hasValuesOut whether values were delivered to this user lately, which any answer may hold (S9)
     */
    public HttpRequestTool(AddressGuard guard, Predicate<String> mayBePlain, Predicate<String> hasValuesOut) {
        this.guard = guard;
        this.mayBePlain = mayBePlain;
        this.hasValuesOut = hasValuesOut;
    }

    @Override
    public String name() {
        return TOOL.tool();
    }

    @Override
    public byte[] definition() {
        return DEFINITION.clone();
    }

    @Override
    public void vet(JsonValue arguments, boolean bearsSecrets) {
        OwnTools.onlyKnown(arguments, RequestArguments.NAMES);
        RequestArguments request = RequestArguments.read(arguments);
        if (bearsSecrets
                && request.isPlain()
                && !AddressGuard.isHere(request.host())
                && !mayBePlain.test(request.host())) {
            throw new RefusedException(Refusal.of(
                    Disposition.SECRET_FORBIDDEN,
                    false,
                    "plain http would show the secret to everyone on the way",
                    "Use https, or ask the operator to name this host in httpRequest.plainHttpHosts of postern.json"));
        }
        try {
            guard.checkLiteral(request.host(), request.port());
        } catch (AddressGuard.RefusedAddressException e) {
            throw OwnTools.invalid(String.valueOf(e.getMessage()), "Use a host that is meant to be reached");
        }
    }

    @Override
    public byte[] call(OwnCall call) {
        RequestArguments arguments;
        URI uri;
        try {
            arguments = RequestArguments.read(call.arguments());
            uri = arguments.uri();
        } catch (RefusedException e) {
            return OwnTools.text(e.refusal().text(), true);
        }
        byte[] body = arguments.body();
        try (AddressGuard.Guarding _ = guard.guard(arguments.host(), arguments.port())) {
            return exchange(call, arguments, uri, body);
        } catch (AddressGuard.RefusedAddressException e) {
            throw failed(String.valueOf(e.getMessage()));
        } catch (UnknownHostException e) {
            throw failed("the host's name leads nowhere");
        } finally {
            if (body != null) {
                Arrays.fill(body, (byte) 0);
            }
        }
    }

    private byte[] exchange(OwnCall call, RequestArguments arguments, URI first, byte @Nullable [] body) {
        long end = System.nanoTime() + arguments.timeout().toNanos();
        String method = arguments.method();
        URI uri = first;
        byte[] sent = body;
        for (int redirects = 0; ; redirects++) {
            HttpResponse<BoundedBody.Read> response =
                    send(request(arguments, method, uri, sent), end - System.nanoTime(), call.cancellation());
            String location = REDIRECTS.contains(response.statusCode())
                    ? response.headers().firstValue("location").orElse(null)
                    : null;
            URI next = location == null ? null : withinOrigin(uri, location);
            if (next == null || redirects == MAX_REDIRECTS) {
                boolean mayHoldValues =
                        call.bearsSecrets() || hasValuesOut.test(call.caller().user());
                ResponseResult result = new ResponseResult(response.statusCode(), response.headers(), mayHoldValues);
                if (location != null) {
                    result.remark(
                            next == null
                                    ? "a redirect to another host or scheme is not followed; make a request of its own if it is wanted"
                                    : "redirected " + MAX_REDIRECTS + " times; no further redirect is followed");
                }
                return result.toJson(response.body());
            }
            uri = next;
            boolean becomesGet = response.statusCode() == 303
                    ? !method.equals("HEAD")
                    : response.statusCode() < 303 && method.equals("POST");
            if (becomesGet) {
                method = "GET";
                sent = null;
            }
        }
    }

    private HttpRequest request(RequestArguments arguments, String method, URI uri, byte @Nullable [] body) {
        BodyPublisher publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri).method(method, publisher);
            boolean typed = false;
            for (RequestArguments.Header header : arguments.headers()) {
                request.header(header.name(), header.value());
                typed |= header.name().equalsIgnoreCase("content-type");
            }
            if (body != null && !typed) {
                request.header(
                        "Content-Type", arguments.hasJsonBody() ? "application/json" : "text/plain; charset=utf-8");
            }
            return request.build();
        } catch (IllegalArgumentException e) {
            // Its message may quote a header's value.
            throw failed("the request cannot be made of these arguments");
        }
    }

    private HttpResponse<BoundedBody.Read> send(HttpRequest request, long patienceNanos, Cancellation cancellation) {
        CompletableFuture<HttpResponse<BoundedBody.Read>> response =
                http.client().sendAsync(request, info -> new BoundedBody(ResponseResult.MAX_BODY_BYTES));
        try (Cancellation.Registration _ = cancellation.onFire(() -> response.cancel(true))) {
            return response.get(Math.max(1, patienceNanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            response.cancel(true);
            throw new UpstreamException(Kind.TIMED_OUT, "the server did not answer in time");
        } catch (CancellationException e) {
            throw new UpstreamException(Kind.CANCELLED, "the agent cancelled the call");
        } catch (InterruptedException e) {
            response.cancel(true);
            Thread.currentThread().interrupt();
            throw new UpstreamException(Kind.CANCELLED, "the gateway is stopping");
        } catch (ExecutionException e) {
            throw failed(
                    e.getCause() instanceof SSLException
                            ? "the TLS connection failed: the server's certificate is not one that is trusted here"
                            : "the server could not be reached, or ended the connection before it answered");
        }
    }

    /** Where a redirect leads within the same scheme, host and port; null where it leads out of them, or nowhere. */
    private static @Nullable URI withinOrigin(URI from, String location) {
        try {
            URI to = from.resolve(location);
            boolean same = from.getScheme().equalsIgnoreCase(to.getScheme())
                    && to.getHost() != null
                    && to.getRawUserInfo() == null
                    && from.getHost().equalsIgnoreCase(to.getHost())
                    && from.getPort() == to.getPort();
            return same ? to : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static UpstreamException failed(String what) {
        return new UpstreamException(Kind.FAILED, what);
    }

    @Override
    public void close() {
        http.close();
    }
}
