package dev.postern.mcp.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Takes a response's body up to a limit; of a longer one no more is read, and the connection is given up. */
final class BoundedBody implements BodySubscriber<BoundedBody.Read> {
    private final int maxBytes;
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final CompletableFuture<Read> read = new CompletableFuture<>();
    private @Nullable Subscription subscription;

    BoundedBody(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * What was read.
     *
     * @param isCut whether there was more
     */
    record Read(byte[] bytes, boolean isCut) {
        @Override
        public String toString() {
            return "Read[" + bytes.length + " bytes]";
        }
    }

    @Override
    public CompletionStage<Read> getBody() {
        return read;
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            int room = maxBytes - taken.size();
            byte[] bytes = new byte[Math.min(room, buffer.remaining())];
            buffer.get(bytes);
            taken.writeBytes(bytes);
            if (buffer.hasRemaining()) {
                if (subscription != null) {
                    subscription.cancel();
                }
                read.complete(new Read(taken.toByteArray(), true));
                return;
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        read.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        read.complete(new Read(taken.toByteArray(), false));
    }
}
