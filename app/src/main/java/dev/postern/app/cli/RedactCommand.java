package dev.postern.app.cli;

import dev.postern.detect.ResponseSanitizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;

/** {@code postern redact}: masks secrets nobody told us about (D2, D3). */
@Command(name = "redact", description = "Write standard input to standard output with every found secret masked.")
final class RedactCommand extends PosternCommand {
    @Override
    void run() throws IOException {
        byte[] input = System.in.readAllBytes();
        var result = ResponseSanitizer.withDefaultRules().scanAndMask(input);
        System.out.write(result.changed() ? result.text().getBytes(StandardCharsets.UTF_8) : input);
        System.out.flush();
    }
}
