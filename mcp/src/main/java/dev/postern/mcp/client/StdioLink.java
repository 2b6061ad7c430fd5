package dev.postern.mcp.client;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.gate.upstream.UpstreamException.Kind;
import dev.postern.mcp.wire.JsonRpc;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A child process that speaks newline-delimited JSON (2026-07-28, stdio). A blocked pipe holds the thread's carrier, so
 * pipes are touched by platform threads only: one reader each for stdout and stderr, and a writer borrowed from a pool
 * while there is something to write. The caller of {@link #send} never waits for the child.
 */
final class StdioLink implements Link {
    private static final String EXITED = "the server exited before it answered";
    private static final Duration DRAIN = Duration.ofSeconds(1);
    private static final int READER_STACK_BYTES = 256 << 10;

    private final String name;
    private final ServerSpec.Stdio spec;
    private final ConnectionLimits limits;
    private final ExecutorService writers;
    private final Queue<byte[]> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean writing;
    private boolean inputClosed;
    private final Object closing = new Object();
    private volatile @Nullable Running running;
    private boolean closed;

    StdioLink(String name, ServerSpec.Stdio spec, ConnectionLimits limits, ExecutorService writers) {
        this.name = name;
        this.spec = spec;
        this.limits = limits;
        this.writers = writers;
    }

    private record Running(Process process, ProcessTree tree, Thread output, Thread errors) {}

    @Override
    public void open(Inbox inbox) {
        ChildProcess.Started started = ChildProcess.start(spec);
        Process process = started.process();
        Thread output = reader("out", () -> readOutput(process, inbox));
        Thread errors = reader("err", () -> readErrors(process, inbox));
        running = new Running(process, new ProcessTree(process, started.leadsSession()), output, errors);
        output.start();
        errors.start();
        var _ = process.onExit()
                .thenRun(() -> Thread.ofVirtual().start(() -> {
                    // What it wrote last is still read, unless something it started keeps the pipe open.
                    join(output);
                    inbox.ended(EXITED);
                }));
    }

    private Thread reader(String stream, Runnable work) {
        return Thread.ofPlatform()
                .name("postern-server-" + name + "-" + stream)
                .daemon()
                .stackSize(READER_STACK_BYTES)
                .unstarted(work);
    }

    private void readOutput(Process process, Inbox inbox) {
        try {
            new LineReader(process.getInputStream(), limits.maxMessageBytes()).readAll(new LineReader.Sink() {
                @Override
                public void line(byte[] line) {
                    inbox.message(line, null);
                }

                @Override
                public void oversized(TopLevelScan scan) {
                    inbox.oversized(scan, null);
                }
            });
        } catch (IOException closed) {
            // The end of the stream by another name.
        }
        if (exited(process)) {
            inbox.ended(EXITED);
        } else {
            inbox.ended("the server closed its output before it answered");
        }
    }

    /** A child that exits closes its output a moment earlier. */
    private static boolean exited(Process process) {
        try {
            return process.waitFor(DRAIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void readErrors(Process process, Inbox inbox) {
        try {
            new StderrReader(limits, System::nanoTime, inbox::stderr).readAll(process.getErrorStream());
        } catch (IOException closed) {
            // The end of the stream by another name.
        }
    }

    @Override
    public void send(OpenRequest request, byte[] message) {
        enqueue(message);
    }

    @Override
    public void send(byte[] message) {
        try {
            enqueue(message);
        } catch (UpstreamException full) {
            // A notification that a stuck or ended server does not get.
        }
    }

    private void enqueue(byte[] message) {
        // A line end inside is white space between tokens: a blank says the same.
        for (int i = 0; i < message.length; i++) {
            if (message[i] == '\n' || message[i] == '\r') {
                message[i] = ' ';
            }
        }
        synchronized (queue) {
            if (inputClosed) {
                throw new UpstreamException(Kind.FAILED, "the connection to the server is closed", true);
            }
            if (queuedBytes > 0 && queuedBytes + message.length > limits.maxQueuedBytes()) {
                throw new UpstreamException(Kind.FAILED, "the server does not read what it is sent", true);
            }
            queue.add(message);
            queuedBytes += message.length;
            write();
        }
    }

    /** Call with the queue's lock held. */
    private void write() {
        if (!writing) {
            writing = true;
            writers.execute(this::drain);
        }
    }

    private void drain() {
        Process process = running().process();
        OutputStream input = process.getOutputStream();
        boolean broken = false;
        while (true) {
            byte[] message;
            boolean last;
            synchronized (queue) {
                message = queue.poll();
                if (message == null) {
                    writing = false;
                    if (!inputClosed) {
                        return;
                    }
                    break;
                }
                last = queue.isEmpty();
            }
            if (!broken) {
                try {
                    input.write(message);
                    input.write('\n');
                    if (last) {
                        input.flush();
                    }
                } catch (IOException brokenPipe) {
                    // The reader learns of the end by itself.
                    broken = true;
                }
            }
            Arrays.fill(message, (byte) 0);
            synchronized (queue) {
                queuedBytes -= message.length;
            }
        }
        try {
            input.close();
        } catch (IOException alreadyClosed) {
            // Closed is what it should be.
        }
    }

    @Override
    public void abandon(OpenRequest request) {
        byte[] params = ("{\"requestId\":" + request.id() + "}").getBytes(StandardCharsets.US_ASCII);
        send(JsonRpc.notification("notifications/cancelled", params));
    }

    private Running running() {
        Running current = running;
        if (current == null) {
            throw new IllegalStateException("the link is not open");
        }
        return current;
    }

    @Override
    public void close() {
        synchronized (closing) {
            Running current = running;
            if (current == null || closed) {
                return;
            }
            closed = true;
            current.tree().look();
            synchronized (queue) {
                inputClosed = true;
                write();
            }
            try {
                end(current.tree());
            } catch (InterruptedException e) {
                current.tree().kill();
                Thread.currentThread().interrupt();
            }
            join(current.output());
            join(current.errors());
        }
    }

    private void end(ProcessTree tree) throws InterruptedException {
        if (tree.awaitExit(limits.exit())) {
            tree.look();
            if (tree.awaitExit(Duration.ZERO)) {
                return;
            }
        }
        tree.look();
        tree.terminate();
        if (!tree.awaitExit(limits.exit())) {
            tree.look();
            tree.kill();
            tree.awaitExit(limits.exit());
        }
    }

    private static void join(Thread thread) {
        try {
            if (thread != Thread.currentThread()) {
                thread.join(DRAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
