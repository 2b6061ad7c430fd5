package dev.postern.mcp.client;

import dev.postern.gate.scrub.Opened;
import dev.postern.gate.scrub.Raw;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A listener that remembers, and answers requests as it is told. */
final class Recorder implements ServerListener {
    record Heard(String method, String text, @Nullable Object related) {}

    final BlockingQueue<Heard> notifications = new LinkedBlockingQueue<>();
    final BlockingQueue<Heard> requests = new LinkedBlockingQueue<>();
    final List<String> stderr = new ArrayList<>();
    final CountDownLatch closed = new CountDownLatch(1);
    volatile int closings;
    volatile BiConsumer<Heard, Reply> answering = (heard, reply) -> {};

    @Override
    public void notification(Raw message, String method, @Nullable Object related) {
        notifications.add(new Heard(method, Opened.text(message), related));
    }

    @Override
    public void request(Raw message, String method, @Nullable Object related, Reply reply) {
        Heard heard = new Heard(method, Opened.text(message), related);
        requests.add(heard);
        answering.accept(heard, reply);
    }

    @Override
    public void stderr(Raw line) {
        synchronized (stderr) {
            stderr.add(Opened.text(line));
        }
    }

    @Override
    public synchronized void closed() {
        closings++;
        closed.countDown();
    }

    static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came");
        }
        return next;
    }
}
