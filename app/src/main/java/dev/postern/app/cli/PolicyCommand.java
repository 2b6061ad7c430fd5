package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.gate.diff.LineDiff;
import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.policy.PolicyException;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern policy}: one document, replaced whole (P10, P11). */
@Command(
        name = "policy",
        description = "Show, check and apply the policy, and look at what was applied before.",
        subcommands = {
            PolicyCommand.Show.class,
            PolicyCommand.History.class,
            PolicyCommand.Diff.class,
            PolicyCommand.Check.class,
            PolicyCommand.Apply.class
        })
final class PolicyCommand extends PosternGroup {

    @Command(name = "show", description = "Print the document in force, or an earlier one.")
    static final class Show extends PosternCommand {
        @Option(names = "--revision", paramLabel = "N", description = "The document of this revision.")
        private @Nullable Long revision;

        @Override
        void run() {
            JsonValue answer = shown(this, revision);
            if (json()) {
                print(JsonValue.parse(Documents.text(answer, "document").getBytes(StandardCharsets.UTF_8)));
            } else {
                out().print(Documents.text(answer, "document"));
                out().flush();
            }
        }
    }

    @Command(name = "history", description = "List what was applied, newest first.")
    static final class History extends PosternCommand {
        @Override
        void run() {
            JsonValue history = gateway().ask("policy.history", Map.of());
            if (json()) {
                print(history);
                return;
            }
            Table table = new Table("REVISION", "APPLIED", "BY");
            for (JsonValue revision : history.elements()) {
                table.row(
                        Documents.text(revision, "revision"),
                        Documents.text(revision, "applied_at"),
                        Documents.text(revision, "actor"));
            }
            table.print(out());
        }
    }

    @Command(
            name = "diff",
            description = "Show what changed: from the revision before to the one in force, or between two.",
            footer = {"", "Example: postern policy diff 3 5"})
    static final class Diff extends PosternCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "FROM")
        private @Nullable Long from;

        @Parameters(index = "1", arity = "0..1", paramLabel = "TO")
        private @Nullable Long to;

        @Override
        void run() {
            JsonValue after = shown(this, to);
            long last = Long.parseLong(Documents.text(after, "revision"));
            JsonValue before = shown(this, from != null ? from : Math.max(0, last - 1));
            List<LineDiff.Line> lines =
                    LineDiff.of(Documents.text(before, "document"), Documents.text(after, "document"));
            if (json()) {
                print(Map.of(
                        "from",
                                JsonValue.parse(
                                        Documents.text(before, "revision").getBytes(StandardCharsets.UTF_8)),
                        "to", last,
                        "lines", lines.stream().map(LineDiff.Line::toString).toList()));
                return;
            }
            out().println("from revision " + Documents.text(before, "revision") + " to revision " + last);
            lines.forEach(line -> out().println(Table.visible(line.toString())));
            out().flush();
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

    private static JsonValue shown(PosternCommand command, @Nullable Long revision) {
        return command.gateway().ask("policy.show", revision == null ? Map.of() : Map.of("revision", revision));
    }

    private static byte[] read(Path file) throws IOException {
        try {
            return file.toString().equals("-") ? System.in.readAllBytes() : Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read.", e);
        }
    }
}
