package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.policy.PolicyException;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code postern policy}: one document, replaced whole (P10, P11). */
@Command(
        name = "policy",
        description = "Show, check and apply the policy.",
        subcommands = {PolicyCommand.Show.class, PolicyCommand.Check.class, PolicyCommand.Apply.class})
final class PolicyCommand extends PosternGroup {

    @Command(name = "show", description = "Print the document in force.")
    static final class Show extends PosternCommand {
        @Override
        void run() {
            JsonValue answer = gateway().ask("policy.show", Map.of());
            if (json()) {
                print(JsonValue.parse(Documents.text(answer, "document").getBytes(StandardCharsets.UTF_8)));
            } else {
                out().print(Documents.text(answer, "document"));
                out().flush();
            }
        }
    }

    @Command(name = "check", description = "Say whether a file is a policy; changes nothing.")
    static final class Check extends PosternCommand {
        @Parameters(paramLabel = "FILE")
        private Path file = Path.of("");

        @Override
        void run() throws IOException {
            try {
                PolicyDocument.parse(0, read(file));
            } catch (PolicyException e) {
                throw new ControlException(ExitCode.FAILED, file + ": " + e.getMessage() + ".");
            }
            if (json()) {
                print(Map.of("valid", true));
            } else {
                out().println(file + " is a valid policy");
            }
        }
    }

    @Command(name = "apply", description = "Replace the policy by a file; an invalid one changes nothing.")
    static final class Apply extends PosternCommand {
        @Parameters(paramLabel = "FILE")
        private Path file = Path.of("");

        @Override
        void run() throws IOException {
            try (SecretValue document = new SecretValue(read(file))) {
                JsonValue answer = gateway().ask("policy.apply", Map.of(), document, event -> {});
                if (json()) {
                    print(answer);
                } else {
                    out().println("applied; revision " + Documents.text(answer, "revision"));
                }
            }
        }
    }

    private static byte[] read(Path file) throws IOException {
        try {
            return file.toString().equals("-") ? System.in.readAllBytes() : Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read.", e);
        }
    }
}
