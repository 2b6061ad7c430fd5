package dev.postern.app.webhook;

import dev.postern.app.config.ConfiguredWebhook;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.upstream.UpstreamException;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts messages about approvals to the configured URL. Taking one in costs its caller nothing: it is queued, and sent by threads
 * of its own; what fails is sent again, later and later, until nobody needs it any more. Thread-safe.
 */
public final class Webhook implements AutoCloseable {
    /** More messages than these do not wait; what comes then is dropped, and the log says so. */
    static final int MAX_WAITING = 1_000;

    private static final Logger log = LoggerFactory.getLogger(Webhook.class);
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10));
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Supplier<@Nullable ConfiguredWebhook> configured;
    private final Resolver resolver;
    private final String portal;
    private final InstantSource clock;
    private final List<Duration> pauses;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("postern-webhook").factory());
    private @Nullable HttpClient client;

    /** Resolves the references in a webhook's settings, each time one is used. */
    @FunctionalInterface
    public interface Resolver {
        /**
         * The settings as they are now.
         *
         * @throws UpstreamException if a reference cannot be resolved; names the place and the remedy
         */
        Target resolve(ConfiguredWebhook webhook);
    }

    /**
     * Where a message goes and what it is signed with. Closing wipes the key.
     *
     * @param mayBePlain whether it may go there over plain HTTP
     */
    public record Target(URI url, SecretValue secret, boolean mayBePlain) implements AutoCloseable {
        @Override
        public void close() {
            secret.close();
        }

        @Override
        public String toString() {
            return "Target[hidden]";
        }
    }

    /**
     * Messages of one gateway.
     *
     * @param configured the webhook as it is configured now; null for none
     * @param portal where a person decides; stands in each message
     */
    public Webhook(
            Supplier<@Nullable ConfiguredWebhook> configured, Resolver resolver, String portal, InstantSource clock) {
        this(configured, resolver, portal, clock, PAUSES);
    }

    Webhook(
            Supplier<@Nullable ConfiguredWebhook> configured,
            Resolver resolver,
            String portal,
            InstantSource clock,
            List<Duration> pauses) {
        this.configured = configured;
        this.resolver = resolver;
        this.portal = portal;
        this.clock = clock;
        this.pauses = pauses;
    }

    /** An approval was asked for or decided. Returns at once. */
    public void changed(Approval approval) {
        ConfiguredWebhook webhook = configured.get();
        if (webhook == null || (approval.state() != Approval.State.PENDING && !webhook.outcomes())) {
            return;
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            log.warn("{} messages wait for the webhook; one about approval {} is dropped", MAX_WAITING, approval.id());
            return;
        }
        ApprovalMessage message = ApprovalMessage.of(approval, portal, webhook.arguments(), clock.instant());
        if (message == null || !start(message, 0)) {
            waiting.decrementAndGet();
        }
    }

    private boolean start(ApprovalMessage message, int attempt) {
        try {
            later.execute(() -> Thread.ofVirtual().name("postern-webhook").start(() -> send(message, attempt)));
            return true;
        } catch (RejectedExecutionException e) {
            return false; // the gateway stops
        }
    }

    private void send(ApprovalMessage message, int attempt) {
        boolean done = true;
        try {
            done = attempt(message, attempt);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("a webhook message failed: {}", e.getClass().getName());
        }
        if (!done) {
            Duration pause = pauses.get(attempt);
            try {
                var _ = later.schedule(() -> start(message, attempt + 1), pause.toMillis(), TimeUnit.MILLISECONDS);
                return;
            } catch (RejectedExecutionException e) {
                // The gateway stops.
            }
        }
        waiting.decrementAndGet();
    }

    /** Whether nothing is left to do about a message. */
    private boolean attempt(ApprovalMessage message, int attempt) throws InterruptedException {
        ConfiguredWebhook webhook = configured.get();
        if (webhook == null) {
            return true;
        }
        String wrong = post(message, webhook);
        if (wrong == null) {
            return true;
        }
        boolean last = attempt >= pauses.size()
                || !clock.instant().plus(pauses.get(attempt)).isBefore(message.until());
        log.warn(
                "the webhook did not take message {}: {}{}",
                message.id(),
                wrong,
                last ? "; it is given up" : "; it is sent again");
        return last;
    }

    /** What went wrong; null if nothing did. */
    private @Nullable String post(ApprovalMessage message, ConfiguredWebhook webhook) throws InterruptedException {
        try (Target target = resolver.resolve(webhook)) {
            if (!"https".equalsIgnoreCase(target.url().getScheme()) && !target.mayBePlain()) {
                return "its address is not https";
            }
            Instant now = clock.instant();
            HttpRequest request = HttpRequest.newBuilder(target.url())
                    .timeout(PATIENCE)
                    .header("Content-Type", "application/json")
                    .header("User-Agent", "Postern")
                    .header("webhook-id", message.id())
                    .header("webhook-timestamp", Long.toString(now.getEpochSecond()))
                    .header(
                            "webhook-signature",
                            Signature.of(message.id(), now.getEpochSecond(), message.body(), target.secret()))
                    .POST(BodyPublishers.ofByteArray(message.body()))
                    .build();
            int status = client().send(request, BodyHandlers.discarding()).statusCode();
            return status >= 200 && status < 300 ? null : "it answered " + status;
        } catch (UpstreamException e) {
            return e.what();
        } catch (IOException e) {
            return "it could not be reached"; // the text of the exception may quote the address
        }
    }

    private synchronized HttpClient client() {
        HttpClient current = client;
        if (current == null) {
            current = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(PATIENCE)
                    .executor(task ->
                            Thread.ofVirtual().name("postern-webhook-http").start(task))
                    .build();
            client = current;
        }
        return current;
    }

    /** Ends it; what waits is not sent. */
    @Override
    public synchronized void close() {
        later.shutdownNow();
        HttpClient current = client;
        if (current != null) {
            current.shutdownNow();
        }
    }
}
