package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.run.ScrubbingPump;
import dev.postern.json.JsonException;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.scrub.ScrubFailedException;
import dev.postern.scrub.Scrubber;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postern scrub}: the scrubber over standard input, JSON unless told otherwise (S1 to S15). */
@Command(name = "scrub", description = "Take known values out of what passes from standard input to standard output.")
final class ScrubCommand extends PosternCommand {
    private static final String SCRUB_FAILED = "VAULT_SCRUB_FAILED";

    @Option(
            names = "--values",
            paramLabel = "FILE",
            description = "{\"reference\": \"value\"} or {\"secrets\":[{\"reference\",\"value\"}],\"remembered\":[…]}.")
    private @Nullable Path values;

    @Option(names = "--text", description = "The input is plain text of any length, passed on as it comes.")
    private boolean text;

    @Option(
            names = "--batch",
            description =
                    "The input is JSON Lines {\"input\",\"secrets\",\"remembered\"}; the output {\"output\"} or {\"error\"}.")
    private boolean batch;

    @Override
    void run() throws IOException {
        if (batch == (values != null)) {
            throw wrongUsage("scrub takes either --values FILE or --batch.");
        }
        PrintStream out = System.out;
        if (values == null) {
            batch(System.in, out);
            return;
        }
        try (Scrubber scrubber = scrubber(values)) {
            if (text) {
                new ScrubbingPump(
                                new FileInputStream(FileDescriptor.in),
                                scrubber,
                                new FileOutputStream(FileDescriptor.out))
                        .move();
            } else {
                out.write(scrubber.scrub(System.in.readAllBytes()));
            }
        } catch (ScrubFailedException e) {
            throw new ControlException(ExitCode.REFUSED, SCRUB_FAILED, e.reason() + ".");
        } finally {
            out.flush();
        }
    }

    private static Scrubber scrubber(Path file) throws IOException {
        byte[] document;
        try {
            document = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read.", e);
        }
        try {
            return ScrubValues.read(JsonValue.parse(document)).scrubber();
        } catch (JsonException e) {
            throw new ControlException(ExitCode.FAILED, file + " is not valid JSON: " + e.getMessage() + ".");
        } finally {
            Arrays.fill(document, (byte) 0);
        }
    }

    private void batch(InputStream in, OutputStream out) throws IOException {
        BufferedInputStream lines = new BufferedInputStream(in);
        for (byte[] line = next(lines); line != null; line = next(lines)) {
            if (line.length > 0) {
                out.write(answer(line));
                out.write('\n');
            }
        }
    }

    private byte[] answer(byte[] line) {
        try {
            JsonValue request = JsonValue.parse(line);
            JsonValue input = request.member("input");
            if (input == null) {
                return JsonWriter.write(Map.of("error", "INVALID_ARGS"));
            }
            byte[] bytes = input.is(JsonValue.Kind.STRING) ? JsonStrings.unescape(input) : input.bytes();
            try (Scrubber scrubber = ScrubValues.read(request).scrubber()) {
                return output(text ? scrubber.scrubText(bytes) : scrubber.scrub(bytes));
            }
        } catch (ScrubFailedException e) {
            return JsonWriter.write(Map.of("error", SCRUB_FAILED));
        } catch (JsonException | ControlException e) {
            return JsonWriter.write(Map.of("error", "INVALID_ARGS"));
        }
    }

    private static byte[] output(byte[] scrubbed) {
        ByteArrayOutputStream document = new ByteArrayOutputStream(scrubbed.length + 32);
        document.writeBytes(new byte[] {'{', '"', 'o', 'u', 't', 'p', 'u', 't', '"', ':', '"'});
        document.writeBytes(JsonStrings.escape(scrubbed));
        document.writeBytes(new byte[] {'"', '}'});
        return document.toByteArray();
    }

    private static byte @Nullable [] next(BufferedInputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return line.toByteArray();
            }
            line.write(b);
        }
        return line.size() == 0 ? null : line.toByteArray();
    }
}
