package dev.postern.app.control;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the data directory's socket and performs what is asked, each connection on a virtual thread. One request a
 * connection:
 *
 * <pre>
 * → {"postern":1,"operation":"secret.add","arguments":{…},"valueBytes":12,"passphraseBytes":20}⏎ and 12 and 20 bytes
 * ← {"event":…}⏎ any number of times
 * ← {"result":…}⏎ or {"failure":{"exit":4,"code":"DENIED","message":"…"}}⏎
 * </pre>
 */
public final class ControlServer implements AutoCloseable {
    /** The version of what is spoken here; another one is refused with a sentence. */
    static final int VERSION = 1;

    /** The default is 50: more clients that start at once would be told that no gateway runs. */
    private static final int CONNECTIONS_NOT_YET_ACCEPTED = 4_096;

    static final int MAX_LINE_BYTES = 8 << 20;
    static final int MAX_VALUE_BYTES = 1 << 20;

    /**
     * The last line of whoever has no more to say and still listens; none that JSON could be. A connection that ends without it
     * was dropped: its process is gone.
     */
    static final byte[] END_OF_INPUT = {4};

    private static final Logger log = LoggerFactory.getLogger(ControlServer.class);

    /** Says whether an operation may be performed as it is asked for. */
    @FunctionalInterface
    public interface Guard {
        /**
         * Returns where it may.
         *
         * @throws ControlException if not; {@link ControlException#PASSPHRASE_REQUIRED} if a passphrase is missing
         */
        void check(ControlRequest request);
    }

    private final SocketLocation location;
    private final ServerSocketChannel listener;
    private final Map<String, Operation> operations;
    private final Guard guard;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

    /**
     * Starts to listen. The caller holds the data directory's lock, so a socket that is already there is a dead one.
     *
     * @param guard asked before each operation
     * @throws IOException if the socket cannot be made
     */
    public ControlServer(Path dataDirectory, Map<String, Operation> operations, Guard guard) throws IOException {
        this.operations = Map.copyOf(operations);
        this.guard = guard;
        this.location = new SocketLocation(dataDirectory);
        this.listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(location.toBind(), CONNECTIONS_NOT_YET_ACCEPTED);
        Thread.ofPlatform().daemon().name("control").start(this::accept);
    }

    private void accept() {
        while (true) {
            try {
                SocketChannel channel = listener.accept();
                open.add(channel);
                Thread.ofVirtual().name("control-request").start(() -> serve(channel));
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                log.warn("the control socket could not take a connection");
            }
        }
    }

    private void serve(SocketChannel channel) {
        try (channel;
                InputStream in = Channels.newInputStream(channel);
                OutputStream out = Channels.newOutputStream(channel)) {
            answer(new Lines(in, MAX_LINE_BYTES), out);
        } catch (IOException | UncheckedIOException e) {
            // Whoever asked is gone; there is nobody to tell.
        } finally {
            open.remove(channel);
        }
    }

    private void answer(Lines lines, OutputStream out) throws IOException {
        byte[] line = lines.next();
        if (line == null) {
            return;
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        Connection connection = new Connection(lines, out);
        try {
            JsonValue header = JsonValue.parse(line);
            ControlRequest request = request(header, lines);
            try (SecretValue value = request.value();
                    SecretValue passphrase = request.passphrase()) {
                answer.put("result", perform(request, connection));
            } finally {
                connection.done();
            }
        } catch (ControlException e) {
            answer.put("failure", failure(e));
        } catch (JsonException e) {
            answer.put("failure", failure(new ControlException(ExitCode.WRONG_USAGE, "the request is not JSON.")));
        }
        write(out, answer);
        connection.answered();
    }

    private @Nullable Object perform(ControlRequest request, Connection connection) throws IOException {
        Operation operation = operations.get(request.operation());
        if (operation == null) {
            throw new ControlException(
                    ExitCode.FAILED,
                    "the running gateway does not know this operation; it may be of another version: restart it.");
        }
        guard.check(request);
        try {
            return operation.perform(request, connection);
        } catch (IllegalArgumentException e) {
            throw new ControlException(ExitCode.FAILED, sentence(String.valueOf(e.getMessage())));
        } catch (ControlException | IOException | UncheckedIOException e) {
            throw e;
        } catch (Exception e) {
            // The exception's own text may quote data: only its kind is logged.
            log.error(
                    "the operation {} failed: {}",
                    request.operation(),
                    e.getClass().getName());
            throw new ControlException(
                    ExitCode.FAILED, "the gateway failed at " + request.operation() + "; its log says more.");
        }
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    private static ControlRequest request(JsonValue header, Lines lines) throws IOException {
        JsonValue version = header.member("postern");
        String operation = header.string("operation");
        if (version == null || !version.spelling().equals(Integer.toString(VERSION)) || operation == null) {
            throw new ControlException(
                    ExitCode.FAILED, "the running gateway is of another version than this command; restart it.");
        }
        JsonValue arguments = header.member("arguments");
        return new ControlRequest(
                operation,
                arguments == null ? JsonValue.parse(new byte[] {'{', '}'}) : arguments,
                secret(header.member("valueBytes"), lines),
                secret(header.member("passphraseBytes"), lines));
    }

    private static @Nullable SecretValue secret(@Nullable JsonValue size, Lines lines) throws IOException {
        if (size == null) {
            return null;
        }
        int length = Integer.parseInt(size.spelling());
        if (length < 0 || length > MAX_VALUE_BYTES) {
            throw new ControlException(ExitCode.FAILED, "the value is too large.");
        }
        byte[] frame = lines.frame(length);
        try {
            return new SecretValue(frame);
        } finally {
            Arrays.fill(frame, (byte) 0);
        }
    }

    private static Map<String, Object> failure(ControlException e) {
        return Map.of("exit", e.exitCode().number(), "code", e.code(), "message", String.valueOf(e.getMessage()));
    }

    private static void write(OutputStream out, Object document) throws IOException {
        writeLine(out, JsonLine.of(document));
    }

    private static void writeLine(OutputStream out, byte[] line) throws IOException {
        synchronized (out) {
            out.write(line);
            out.flush();
        }
    }

    /** Stops listening, hangs up on everyone and removes the socket. */
    @Override
    public void close() {
        try {
            listener.close();
            for (SocketChannel channel : open) {
                channel.close();
            }
            location.remove();
        } catch (IOException e) {
            log.warn("the control socket could not be removed");
        }
    }

    /** The caller's end of one request. */
    private static final class Connection implements Operation.Peer {
        private final Lines lines;
        private final OutputStream out;
        private final AtomicBoolean done = new AtomicBoolean();
        private volatile boolean listensOn;
        private final List<Runnable> afterwards = new ArrayList<>();

        Connection(Lines lines, OutputStream out) {
            this.lines = lines;
            this.out = out;
        }

        @Override
        public void send(Object event) {
            try {
                write(out, Map.of("event", event));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onHangUp(Runnable action) {
            Thread.ofVirtual().name("control-hang-up").start(() -> {
                if (lines.hungUp() && done.compareAndSet(false, true)) {
                    action.run();
                }
            });
        }

        @Override
        public void whenAnswered(Runnable action) {
            afterwards.add(action);
        }

        @Override
        public void sendLine(byte[] line) {
            try {
                writeLine(out, line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public byte @Nullable [] next() {
            try {
                byte[] line = lines.next();
                listensOn = Arrays.equals(line, END_OF_INPUT);
                return listensOn ? null : line;
            } catch (IOException e) {
                return null;
            }
        }

        @Override
        public boolean listensOn() {
            return listensOn;
        }

        @Override
        public void hangUp() {
            try {
                out.close();
            } catch (IOException e) {
                log.debug("a connection was gone before it was ended");
            }
        }

        void done() {
            done.set(true);
        }

        void answered() {
            afterwards.forEach(Runnable::run);
        }
    }
}
