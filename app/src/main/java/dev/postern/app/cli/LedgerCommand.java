package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;
import dev.postern.store.ledger.LedgerLine;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.store.ledger.Verification;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern ledger}: what was called, and what became of it (L1, L2). Works with and without a running gateway. */
@Command(
        name = "ledger",
        description = "Read, export and verify the ledger of calls.",
        subcommands = {
            LedgerCommand.Tail.class,
            LedgerCommand.Show.class,
            LedgerCommand.Export.class,
            LedgerCommand.Verify.class
        })
final class LedgerCommand extends PosternGroup {

    @Command(name = "tail", description = "Show the latest entries.")
    static final class Tail extends PosternCommand {
        @Option(
                names = {"-n", "--lines"},
                paramLabel = "N",
                description = "How many (default: 20).")
        private int lines = 20;

        @Override
        void run() {
            if (lines < 1) {
                throw wrongUsage("--lines is at least 1.");
            }
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                List<LedgerLine> tail = ledger.tail(lines);
                if (json()) {
                    List<Object> documents = new ArrayList<>();
                    tail.forEach(line -> documents.add(JsonValue.parse(line.json())));
                    print(documents);
                    return;
                }
                Table table = new Table("AT", "AGENT", "TOOL", "DISPOSITION", "CODE", "APPROVER", "MS", "ID");
                for (LedgerLine line : tail) {
                    table.row(
                            line.at(),
                            line.agent(),
                            line.server() + "__" + line.tool(),
                            line.disposition(),
                            orEmpty(line.code()),
                            orEmpty(line.approver()),
                            Long.toString(line.durationMillis()),
                            line.id());
                }
                table.print(out());
            }
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    @Command(name = "show", description = "Show one entry whole.")
    static final class Show extends PosternCommand {
        @Parameters(paramLabel = "ID")
        private String id = "";

        @Override
        void run() {
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                LedgerLine line = ledger.find(id)
                        .orElseThrow(() -> new ControlException(
                                ExitCode.FAILED, "there is no entry '" + Table.visible(id) + "' in the ledger."));
                JsonValue entry = JsonValue.parse(line.json());
                if (json()) {
                    print(entry);
                } else {
                    entry.forEachMember((name, value) -> out().println((name.string() + " ".repeat(14)).substring(0, 14)
                            + Table.visible(value.is(JsonValue.Kind.STRING) ? value.string() : value.spelling())));
                    out().flush();
                }
            }
        }
    }

    @Command(name = "export", description = "Write every entry as JSON Lines.")
    static final class Export extends PosternCommand {
        @Override
        void run() throws IOException {
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                ledger.export(System.out);
            }
        }
    }

    @Command(name = "verify", description = "Check that nothing in the ledger was changed, from the first entry on.")
    static final class Verify extends PosternCommand {
        @Override
        void run() {
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                report(ledger.verify((done, total) -> {}));
            }
        }

        private void report(Verification verification) {
            switch (verification) {
                case Verification.Intact intact -> {
                    if (json()) {
                        print(Map.of(
                                "intact",
                                true,
                                "entries",
                                intact.entries(),
                                "open",
                                intact.open(),
                                "hash",
                                intact.hash()));
                    } else {
                        out().println("intact: " + intact.entries() + " entries, " + intact.open()
                                + " open; the last hash is " + intact.hash());
                    }
                }
                case Verification.Broken broken -> {
                    if (json()) {
                        print(Map.of(
                                "intact",
                                false,
                                "chain",
                                broken.chain(),
                                "position",
                                broken.position(),
                                "id",
                                broken.id(),
                                "reason",
                                broken.reason()));
                    }
                    throw new ControlException(
                            ExitCode.FAILED,
                            "the ledger is broken at entry " + broken.position() + " of " + broken.chain() + " (id "
                                    + Table.visible(broken.id()) + "): " + broken.reason() + ".");
                }
            }
        }
    }
}
