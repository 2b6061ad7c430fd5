package dev.postern.mcp.server;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A response that counts among those open to its agent until its end is on its way: an agent that has read all of it finds
 * the place free. An end that is long counts until it is written, since nobody may read it. Thread-safe.
 */
final class OpenResponse extends Response.Wrapper implements Callback {
    /** What a connection takes at once, whether or not anyone reads. */
    private static final int SHORT_BYTES = 16 << 10;

    private final Callback callback;
    private final Runnable giveBack;
    private final AtomicBoolean counts = new AtomicBoolean(true);

    /** @param giveBack run once, at the end */
    OpenResponse(Response response, Callback callback, Runnable giveBack) {
        super(response.getRequest(), response);
        this.callback = callback;
        this.giveBack = giveBack;
    }

    /** It does not count any more, however it ended. */
    void ended() {
        if (counts.getAndSet(false)) {
            giveBack.run();
        }
    }

    @Override
    public void write(boolean last, ByteBuffer bytes, Callback written) {
        if (last && (bytes == null || bytes.remaining() <= SHORT_BYTES)) {
            ended();
        }
        super.write(last, bytes, written);
    }

    @Override
    public void succeeded() {
        ended();
        callback.succeeded();
    }

    @Override
    public void failed(Throwable why) {
        ended();
        callback.failed(why);
    }

    @Override
    public InvocationType getInvocationType() {
        return callback.getInvocationType();
    }
}
