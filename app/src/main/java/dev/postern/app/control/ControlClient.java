package dev.postern.app.control;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The command line's end of the control socket. */
public final class ControlClient {
    private final Path dataDirectory;
    private final Passphrase passphrase;

    /** One that cannot be asked for a passphrase. */
    public ControlClient(Path dataDirectory) {
        this(dataDirectory, () -> null);
    }

    public ControlClient(Path dataDirectory, Passphrase passphrase) {
        this.dataDirectory = dataDirectory;
        this.passphrase = passphrase;
    }

    /** Where the operator's passphrase comes from when the gateway wants it. */
    @FunctionalInterface
    public interface Passphrase {
        /** The passphrase, closed by whoever asked; null if nobody can say it. */
        @Nullable
        SecretValue ask() throws IOException;
    }

    /** Asks for something that is done at once. */
    public JsonValue ask(String operation, Map<String, ?> arguments) {
        return ask(operation, arguments, null, event -> {});
    }

    /**
     * Asks, hears events, and waits for the result.
     *
     * @param value travels as bytes beside the request; not closed here
     * @throws ControlException with exit code 5 if no gateway runs on the data directory, or as the gateway says
     */
    public JsonValue ask(
            String operation, Map<String, ?> arguments, @Nullable SecretValue value, Consumer<JsonValue> events) {
        try {
            return ask(operation, arguments, value, null, events);
        } catch (ControlException e) {
            if (!e.code().equals(ControlException.PASSPHRASE_REQUIRED)) {
                throw e;
            }
            try (SecretValue given = passphrase.ask()) {
                if (given == null) {
                    throw e;
                }
                return ask(operation, arguments, value, given, events);
            } catch (IOException io) {
                throw new ControlException(ExitCode.FAILED, "the passphrase could not be read.");
            }
        }
    }

    private JsonValue ask(
            String operation,
            Map<String, ?> arguments,
            @Nullable SecretValue value,
            @Nullable SecretValue given,
            Consumer<JsonValue> events) {
        try (SocketChannel channel = connect();
                InputStream in = Channels.newInputStream(channel);
                OutputStream out = Channels.newOutputStream(channel)) {
            send(out, operation, arguments, value, given);
            Lines lines = new Lines(in, Integer.MAX_VALUE);
            while (true) {
                byte[] line = lines.next();
                if (line == null) {
                    throw new ControlException(ExitCode.FAILED, "the gateway ended before it answered.");
                }
                JsonValue answer = JsonValue.parse(line);
                JsonValue event = answer.member("event");
                if (event == null) {
                    return result(answer);
                }
                events.accept(event);
            }
        } catch (IOException e) {
            throw new ControlException(ExitCode.FAILED, "the gateway ended before it answered.");
        }
    }

    /**
     * Asks for an operation whose connection becomes a stream of lines in both directions.
     *
     * @throws ControlException as {@link #ask(String, Map)}
     */
    public Stream open(String operation, Map<String, ?> arguments, @Nullable SecretValue value) throws IOException {
        SocketChannel channel = connect();
        try {
            InputStream in = Channels.newInputStream(channel);
            OutputStream out = Channels.newOutputStream(channel);
            send(out, operation, arguments, value, null);
            byte[] first = firstLine(in);
            if (JsonValue.parse(first).member("event") == null) {
                result(JsonValue.parse(first));
            }
            return new Stream(channel, in, out);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Byte by byte, because what follows belongs to whoever reads the stream next. */
    private static byte[] firstLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(128);
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the gateway ended before it answered");
            }
            line.write(b);
        }
        return line.toByteArray();
    }

    /** Both directions of one connection. */
    public record Stream(SocketChannel channel, InputStream in, OutputStream out) implements AutoCloseable {
        /** Tells the gateway that no more will come; it still answers what came, unless this stream is closed before. */
        public void endInput() throws IOException {
            out.write('\n'); // the last line may have had no end
            out.write(ControlServer.END_OF_INPUT);
            out.write('\n');
            out.flush();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private SocketChannel connect() {
        try {
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(new SocketLocation(dataDirectory).toConnect());
            return channel;
        } catch (IOException e) {
            throw new ControlException(
                    ExitCode.NOT_RUNNING,
                    "no gateway runs on " + dataDirectory + "; start one with: postern up --data " + dataDirectory);
        }
    }

    private static void send(
            OutputStream out,
            String operation,
            Map<String, ?> arguments,
            @Nullable SecretValue value,
            @Nullable SecretValue given)
            throws IOException {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("postern", ControlServer.VERSION);
        header.put("operation", operation);
        header.put("arguments", arguments);
        if (value != null) {
            header.put("valueBytes", value.length());
        }
        if (given != null) {
            header.put("passphraseBytes", given.length());
        }
        out.write(JsonWriter.write(header));
        out.write('\n');
        write(out, value);
        write(out, given);
        out.flush();
    }

    private static void write(OutputStream out, @Nullable SecretValue secret) throws IOException {
        if (secret != null) {
            byte[] bytes = secret.reveal(Reveal.TO_DELIVER);
            try {
                out.write(bytes);
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
    }

    private static JsonValue result(JsonValue answer) {
        JsonValue failure = answer.member("failure");
        if (failure != null) {
            JsonValue exit = failure.member("exit");
            throw new ControlException(
                    exit == null ? ExitCode.FAILED : ExitCode.of(Integer.parseInt(exit.spelling())),
                    String.valueOf(failure.string("code")),
                    String.valueOf(failure.string("message")));
        }
        JsonValue result = answer.member("result");
        if (result == null) {
            throw new ControlException(ExitCode.FAILED, "the gateway's answer was not understood; restart it.");
        }
        return result;
    }
}
