package dev.postern.app.cli;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.json.JsonValue;
import dev.postern.store.ledger.LedgerFilter;
import dev.postern.store.ledger.LedgerLine;
import dev.postern.store.ledger.LedgerPage;
import dev.postern.store.ledger.LedgerReader;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code postern ledger}: what was called, and what became of it (L1, L2). Reading works with and without a running gateway. */
@Command(
        name = "ledger",
        description = "Read, export, verify and archive the ledger of calls.",
        subcommands = {
            LedgerCommand.Tail.class,
            LedgerCommand.Show.class,
            LedgerCommand.Export.class,
            LedgerProofCommands.Verify.class,
            LedgerProofCommands.Key.class,
            LedgerProofCommands.Signed.class,
            LedgerArchiveCommand.class
        })
final class LedgerCommand extends PosternGroup {

    @Command(name = "tail", description = "Show the latest entries.")
    static final class Tail extends PosternCommand {
        private static final int MOST_AT_ONCE = 1_000;

        @Option(
                names = {"-n", "--lines"},
                paramLabel = "N",
                description = "How many (default: 20).")
        private int lines = 20;

        @Option(
                names = {"-f", "--follow"},
                description = "Go on with what comes, until you end it.")
        private boolean follow;

        @Mixin
        private LedgerFilterOptions options = new LedgerFilterOptions();

        @Override
        void run() throws InterruptedException, IOException {
            if (lines < 1) {
                throw wrongUsage("--lines is at least 1.");
            }
            LedgerFilter filter = filterOf(this, options);
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                List<LedgerLine> tail = filter.isAll() ? ledger.tail(lines) : latest(ledger, filter);
                if (follow) {
                    show(tail, true);
                    follow(
                            ledger,
                            filter,
                            tail.isEmpty() ? ledger.last() : tail.getLast().position());
                } else {
                    show(tail, false);
                }
            }
        }

        private List<LedgerLine> latest(LedgerReader ledger, LedgerFilter filter) {
            List<LedgerLine> found = new ArrayList<>();
            long before = LedgerPage.NEWEST;
            do {
                LedgerPage page = ledger.page(filter, before, lines - found.size());
                found.addAll(page.lines());
                before = page.older();
            } while (before > 0 && found.size() < lines);
            return found.reversed();
        }

        /** Looks when a file of the data directory has changed, and once a second. */
        private void follow(LedgerReader ledger, LedgerFilter filter, long from)
                throws InterruptedException, IOException {
            Path directory = dataDirectory();
            try (WatchService files = directory.getFileSystem().newWatchService()) {
                directory.register(files, StandardWatchEventKinds.ENTRY_MODIFY);
                long seen = from;
                while (!out().checkError()) {
                    List<LedgerLine> more = ledger.after(filter, seen, MOST_AT_ONCE);
                    if (!more.isEmpty()) {
                        seen = more.getLast().position();
                        show(more, true);
                        continue;
                    }
                    WatchKey changed = files.poll(1, TimeUnit.SECONDS);
                    if (changed != null) {
                        changed.pollEvents();
                        changed.reset();
                    }
                }
            }
        }

        /** One after the other, where more may come; else as one table or one document. */
        private void show(List<LedgerLine> some, boolean open) {
            if (json()) {
                if (open) {
                    some.forEach(line -> print(JsonValue.parse(line.json())));
                } else {
                    print(some.stream()
                            .map(line -> JsonValue.parse(line.json()))
                            .toList());
                }
                return;
            }
            if (open) {
                some.forEach(line -> out().println(String.join("  ", cells(line))));
                out().flush();
                return;
            }
            Table table = new Table("AT", "AGENT", "TOOL", "DISPOSITION", "CODE", "APPROVER", "MS", "ID");
            some.forEach(line -> table.row(cells(line).toArray(String[]::new)));
            table.print(out());
        }

        private static List<String> cells(LedgerLine line) {
            return List.of(
                    Table.visible(line.at()),
                    Table.visible(line.agent()),
                    Table.visible(line.server() + "__" + line.tool()),
                    Table.visible(line.disposition()),
                    Table.visible(orEmpty(line.code())),
                    Table.visible(orEmpty(line.approver())),
                    Long.toString(line.durationMillis()),
                    Table.visible(line.id()));
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static LedgerFilter filterOf(PosternCommand command, LedgerFilterOptions options) {
        try {
            return options.filter();
        } catch (IllegalArgumentException e) {
            throw command.wrongUsage(String.valueOf(e.getMessage()));
        }
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
                    return;
                }
                entry.forEachMember((name, value) -> row(
                        name.string(),
                        Table.visible(value.is(JsonValue.Kind.STRING) ? value.string() : value.spelling())));
                ledger.timeline(id).ifPresent(timeline -> {
                    Long revision = timeline.policyRevision();
                    if (revision != null) {
                        row("policy", "revision " + revision);
                    }
                    if (timeline.approval() != null) {
                        row("approval", Table.visible(timeline.approval()));
                    }
                    timeline.secretVersions().forEach(version -> row("secret", Table.visible(version)));
                    timeline.stages()
                            .forEach(stage -> row(
                                    Table.visible(stage.name()),
                                    "after " + stage.after().toMillis() + " ms"));
                });
                out().flush();
            }
        }

        private void row(String name, String value) {
            out().println((name + " ".repeat(14)).substring(0, 14) + value);
        }
    }

    @Command(
            name = "export",
            description = "Write entries as JSON Lines: all of them, archived ones included, or some.")
    static final class Export extends PosternCommand {
        @Mixin
        private LedgerFilterOptions options = new LedgerFilterOptions();

        @Override
        void run() throws IOException {
            LedgerFilter filter = filterOf(this, options);
            try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
                LedgerReader.Exported exported = ledger.export(System.out, filter);
                if (!filter.isAll()) {
                    err().println(
                                    "postern: a part of the ledger: each line's hash proves that line, and not that none is missing.");
                } else if (exported.deleted() > 0) {
                    err().println("postern: the first " + exported.deleted()
                            + " entries were archived and deleted; the chain begins after them.");
                }
                err().flush();
            }
        }
    }
}
