package dev.postern.mcp.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The stream on which a legacy server speaks by itself. A server need not offer one. A broken stream is taken up again,
 * as the server asks, until the link is closed.
 */
final class ServerStream {
    private static final long FIRST_RETRY_MILLIS = 1000;
    private static final long LONGEST_RETRY_MILLIS = 30_000;

    private final HttpLink link;
    private final EventStream events;
    private final CompletableFuture<@Nullable URI> endpoint = new CompletableFuture<>();
    private volatile HttpSender.Flight flight = new HttpSender.Flight();
    private final CountDownLatch ended = new CountDownLatch(1);

    ServerStream(HttpLink link) {
        this.link = link;
        this.events = new EventStream(link.limits().maxMessageBytes(), new EventStream.Sink() {
            @Override
            public void event(String type, byte[] data) {
                if (type.isEmpty()) {
                    link.inbox().message(data, null);
                } else if (type.equals("endpoint")) {
                    named(data);
                }
            }

            @Override
            public void oversized(TopLevelScan scan) {
                link.inbox().oversized(scan, null);
            }
        });
    }

    void end() {
        ended.countDown();
        flight.end();
        endpoint.complete(null);
    }

    /** Where the older transport wants its POSTs; null if the server does not say so in time. */
    @Nullable
    URI awaitEndpoint(Duration patience) {
        try {
            return endpoint.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void named(byte[] data) {
        try {
            URI named = link.endpoint().resolve(new String(data, StandardCharsets.UTF_8));
            // Never where the operator did not say.
            endpoint.complete(HttpSender.isSameOrigin(link.endpoint(), named) ? named : null);
        } catch (IllegalArgumentException e) {
            endpoint.complete(null);
        }
    }

    void run() {
        long retryMillis = FIRST_RETRY_MILLIS;
        long pauseMillis = 0;
        while (true) {
            flight = new HttpSender.Flight();
            if (endedWithin(pauseMillis)) {
                return;
            }
            try {
                HttpResponse<InputStream> response = link.get(events.lastEventId(), flight);
                try (InputStream body = response.body()) {
                    if (!isStream(response)) {
                        endpoint.complete(null);
                        return;
                    }
                    retryMillis = FIRST_RETRY_MILLIS;
                    events.readAll(body);
                }
            } catch (HttpFailureException | IOException broken) {
                retryMillis = Math.min(LONGEST_RETRY_MILLIS, retryMillis * 2);
            } finally {
                flight.end();
            }
            if (link.isOlderTransport()) {
                // Its answers came on this stream alone.
                link.inbox().ended("the server closed its output before it answered");
                return;
            }
            pauseMillis = events.retryMillis() < 0 ? retryMillis : Math.min(LONGEST_RETRY_MILLIS, events.retryMillis());
        }
    }

    private static boolean isStream(HttpResponse<?> response) {
        return response.statusCode() == 200
                && response.headers()
                        .firstValue("Content-Type")
                        .orElse("")
                        .toLowerCase(Locale.ROOT)
                        .startsWith("text/event-stream");
    }

    private boolean endedWithin(long millis) {
        try {
            return ended.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
