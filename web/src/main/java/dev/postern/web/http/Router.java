package dev.postern.web.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves routes, and says so where there is none: the last handler. Each request in one order: route, caller, access,
 * origin, body, token, endpoint, wiping, headers. Closing it ends the streams that are open, so that the server can stop.
 */
public final class Router extends Handler.Abstract implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Router.class);

    /** So much of a body is read to be thrown away. */
    private static final int MOST_DRAINED_BYTES = 256 * 1024;

    private final List<Entry> entries;
    private final List<Route> routes;
    private final Authenticator authenticator;
    private final ProblemReplies problems;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private final @Nullable URI address;
    private volatile boolean closed;

    public Router(List<Route> routes, Authenticator authenticator, ErrorPages errorPages) {
        this(routes, authenticator, errorPages, null);
    }

    /**
     * @param address scheme, host and port under which a proxy in front serves the same routes; null where there is none
     */
    public Router(List<Route> routes, Authenticator authenticator, ErrorPages errorPages, @Nullable URI address) {
        this.routes = List.copyOf(routes);
        this.entries = routes.stream()
                .map(route -> new Entry(PathTemplate.parse(route.template()), route))
                .sorted(Comparator.comparingInt(entry -> entry.template.variables()))
                .toList();
        this.authenticator = authenticator;
        this.problems = new ProblemReplies(errorPages);
        this.address = address;
    }

    private record Entry(PathTemplate template, Route route) {}

    /** Every route, in the order given. */
    public List<Route> routes() {
        return routes;
    }

    @Override
    public boolean handle(org.eclipse.jetty.server.Request jetty, Response response, Callback callback) {
        Exchange exchange = new Exchange(jetty, response);
        return serve(exchange, _ -> exchange.answer(), callback);
    }

    /** Refuses what a page of another site sent, as any problem of the path is told; false where no route has the path. */
    public boolean refuseForeign(org.eclipse.jetty.server.Request jetty, Response response, Callback callback) {
        Exchange exchange = new Exchange(jetty, response);
        List<String> path = PathTemplate.split(exchange.request.path());
        return entries.stream().anyMatch(entry -> entry.template.match(path) != null)
                && serve(
                        exchange,
                        _ -> {
                            throw CrossSite.refused();
                        },
                        callback);
    }

    private static boolean serve(Exchange exchange, Endpoint answer, Callback callback) {
        try {
            exchange.serve(answer);
            callback.succeeded();
        } catch (IOException e) {
            callback.failed(e); // whoever asked is gone
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        }
        return true;
    }

    /** Ends every open stream, and opens no more. */
    @Override
    public void close() {
        closed = true;
        streams.forEach(EventStream::end);
    }

    /** One request on its way. */
    private final class Exchange {
        private final org.eclipse.jetty.server.Request jetty;
        private final Response response;
        private Request request;
        private boolean bodyRead;

        Exchange(org.eclipse.jetty.server.Request jetty, Response response) {
            this.jetty = jetty;
            this.response = response;
            this.request = new Request(jetty, Map.of(), address);
        }

        void serve(Endpoint endpoint) throws IOException, InterruptedException {
            Reply reply;
            try {
                reply = endpoint.answer(request);
            } catch (ProblemException e) {
                reply = problems.reply(request, e);
            } catch (IOException | InterruptedException e) {
                throw e;
            } catch (Exception e) {
                // Neither its text nor the path may be logged: both may quote a secret.
                log.error("a request failed: {} at {}", e.getClass().getName(), ProblemReplies.place(e));
                reply = problems.reply(
                        request,
                        new ProblemException(500, "INTERNAL_ERROR", "The gateway failed at this; its log says more."));
            }
            request.wipe();
            write(bodyRead ? reply : leavingNothing(reply));
        }

        /** What was not read of a refused request would stand in the way of the next one on its connection. */
        private Reply leavingNothing(Reply reply) throws IOException {
            if (jetty.getLength() == 0 || reply.header("Connection") != null || CrossSite.isSafe(request.method())) {
                return reply;
            }
            byte[] drained = new byte[8 * 1024];
            int left = MOST_DRAINED_BYTES;
            try (InputStream in = Content.Source.asInputStream(jetty)) {
                int read = 0;
                while (left > 0 && read >= 0) {
                    read = in.read(drained);
                    left -= read;
                }
            } finally {
                Arrays.fill(drained, (byte) 0);
            }
            return left > 0 ? reply : reply.with("Connection", "close");
        }

        private Reply answer() throws Exception {
            List<String> path = PathTemplate.split(request.path());
            Set<String> allowed = new TreeSet<>();
            for (Entry entry : entries) {
                @Nullable Map<String, String> values = entry.template.match(path);
                if (values == null) {
                    continue;
                }
                if (isServedBy(entry.route, request.method())) {
                    request = new Request(jetty, values, address);
                    return answer(entry.route);
                }
                allowed.add(entry.route.method());
            }
            if (allowed.isEmpty()) {
                throw new ProblemException(404, "NOT_FOUND", "There is nothing at this address.");
            }
            return notAllowed(allowed);
        }

        private Reply notAllowed(Set<String> allowed) {
            if (allowed.contains("GET")) {
                allowed.add("HEAD");
            }
            String allow = String.join(", ", allowed);
            Reply reply = request.method().equals("OPTIONS")
                    ? Reply.empty()
                    : problems.reply(
                            request,
                            new ProblemException(405, "METHOD_NOT_ALLOWED", "This address takes " + allow + "."));
            return reply.with("Allow", allow);
        }

        private Reply answer(Route route) throws Exception {
            Identity caller = authenticator.identify(request, !route.background());
            request.identified(caller);
            admit(route.access(), caller);
            boolean safe = CrossSite.isSafe(request.method());
            if (!safe && CrossSite.isForeign(request)) {
                throw CrossSite.refused();
            }
            request.received(body(route.maxBodyBytes()));
            bodyRead = true;
            // An open route acts for nobody, so there is no session that it could misuse.
            boolean tokenNeeded = !safe && !(route.access() instanceof Access.Open);
            if (tokenNeeded && caller instanceof Identity.Person person && !CrossSite.hasToken(request, person)) {
                throw new ProblemException(
                        403,
                        "CSRF_TOKEN_REQUIRED",
                        "The request lacks the token of this session, or has another's: load the page again, or send "
                                + CrossSite.TOKEN_HEADER + " as GET /api/session gives it.");
            }
            return route.endpoint().answer(request);
        }

        /** A1, A2: an agent is told that it takes a person, a person that it takes another role. */
        private void admit(Access access, Identity caller) {
            boolean admitted = switch (access) {
                case Access.Open _ -> true;
                case Access.AnyCaller _ -> !(caller instanceof Identity.Nobody);
                case Access.AnyPerson _ -> caller instanceof Identity.Person;
                case Access.Needs(var right) -> caller.may(right);
            };
            if (admitted) {
                return;
            }
            throw switch (caller) {
                case Identity.Nobody _ ->
                    new ProblemException(
                            401,
                            "UNAUTHENTICATED",
                            "Sign in to the portal, or send an agent key as 'Authorization: Bearer KEY'.");
                case Identity.Agent _ ->
                    new ProblemException(
                            403,
                            "PORTAL_SESSION_REQUIRED",
                            "An agent cannot do this; a person who is signed in to the portal can.");
                case Identity.Person _ ->
                    new ProblemException(403, "FORBIDDEN", "Your role does not allow this; ask an administrator.");
            };
        }

        private byte[] body(int most) throws IOException {
            if (jetty.getLength() == 0) {
                return new byte[0];
            }
            if (jetty.getLength() <= most) {
                try (InputStream in = Content.Source.asInputStream(jetty)) {
                    byte[] body = in.readNBytes(most + 1);
                    if (body.length <= most) {
                        return body;
                    }
                }
            }
            throw new ProblemException(
                    413, "CONTENT_TOO_LARGE", "The body is larger than the " + most + " bytes that are taken here.");
        }

        private void write(Reply reply) throws IOException, InterruptedException {
            response.setStatus(reply.status());
            SecurityHeaders.put(response.getHeaders(), request.isSecure());
            List<String> cookies = new ArrayList<>();
            for (Reply.Header header : reply.headers()) {
                if (header.name().equalsIgnoreCase("Set-Cookie")) {
                    cookies.add(header.value());
                } else {
                    response.getHeaders().put(header.name(), header.value());
                }
            }
            cookies.forEach(cookie -> response.getHeaders().add("Set-Cookie", cookie));
            boolean head = request.method().equals("HEAD");
            EventSource source = reply.source();
            if (source != null && !head) {
                stream(source);
                return;
            }
            Reply.BodyWriter writer = reply.writer();
            if (writer != null && !head) {
                try (OutputStream out = Content.Sink.asOutputStream(response)) {
                    writer.write(out);
                }
                return;
            }
            if (reply.status() != 204 && reply.status() != 304) {
                response.getHeaders().put("Content-Length", reply.body().length);
            }
            Content.Sink.write(response, true, ByteBuffer.wrap(head ? new byte[0] : reply.body()));
        }

        private void stream(EventSource source) throws IOException, InterruptedException {
            EventStream stream = new EventStream();
            streams.add(stream);
            try (AutoCloseable _ = source.subscribe(stream)) {
                if (closed) {
                    stream.end();
                }
                stream.write(response, () -> authenticator.isLive(request.caller()));
            } catch (IOException | InterruptedException e) {
                throw e;
            } catch (Exception e) {
                log.error("an event stream failed: {} at {}", e.getClass().getName(), ProblemReplies.place(e));
                throw new IOException("the event stream failed");
            } finally {
                streams.remove(stream);
            }
        }
    }

    private static boolean isServedBy(Route route, String method) {
        return route.method().equals(method) || (route.method().equals("GET") && method.equals("HEAD"));
    }
}
