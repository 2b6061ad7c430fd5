package dev.postern.mcp.client;

import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's HTTP client for one purpose: made when it is first needed, since it keeps a thread of its own; it works on virtual
 * threads and follows no redirect by itself, because what is sent may hold values. Thread-safe.
 */
public final class OutgoingHttp implements AutoCloseable {
    private final String threads;
    private final Duration patience;
    private @Nullable HttpClient client;

    /**
     * A client to come.
     *
     * @param threads what its threads are called
     * @param patience how long a connection may take to be made, and the client to end
     */
    public OutgoingHttp(String threads, Duration patience) {
        this.threads = threads;
        this.patience = patience;
    }

    /** The client, made if there is none yet. */
    public synchronized HttpClient client() {
        HttpClient made = client;
        if (made == null) {
            made = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(patience)
                    .executor(task -> Thread.ofVirtual().name(threads).start(task))
                    .build();
            client = made;
        }
        return made;
    }

    /** Ends what is under way. */
    @Override
    public synchronized void close() {
        HttpClient made = client;
        if (made != null) {
            made.shutdownNow();
            try {
                made.awaitTermination(patience);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
