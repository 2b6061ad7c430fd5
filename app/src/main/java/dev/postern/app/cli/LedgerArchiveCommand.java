package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import dev.postern.store.ledger.ArchivedSegment;
import dev.postern.store.ledger.LedgerReader;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postern ledger archive}: moves old entries out of the database; the chain stays whole (L2). */
@Command(
        name = "archive",
        description = "Move old entries to compressed files beside the database, or list those that were moved.")
final class LedgerArchiveCommand extends PosternCommand {
    @Option(names = "--before", paramLabel = "TIME", description = "What came in before: 2026-03-01, or 90d ago.")
    private @Nullable String before;

    @Option(names = "--keep", paramLabel = "DAYS", description = "What came in longer ago than so many days.")
    private @Nullable Integer keep;

    @Option(names = "--delete", description = "Delete archives that end before then; only their signed ends stay.")
    private boolean delete;

    @Override
    void run() {
        if (before != null && keep != null) {
            throw wrongUsage("--before and --keep say the same; give one.");
        }
        Instant limit = limit();
        if (limit == null) {
            if (delete) {
                throw wrongUsage("--delete needs --before or --keep.");
            }
            list();
            return;
        }
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("before", limit.toEpochMilli());
        JsonValue answer = gateway().ask(delete ? "ledger.delete-archives" : "ledger.archive", arguments);
        if (json()) {
            print(answer);
            return;
        }
        int segments = answer.elements().size();
        out().println(
                        segments == 0
                                ? "nothing is so old"
                                : (delete ? "deleted " : "archived ")
                                        + segments
                                        + (segments == 1 ? " segment" : " segments"));
        answer.elements().forEach(segment -> out().println(Documents.text(segment, "name")));
        out().flush();
    }

    private @Nullable Instant limit() {
        if (keep != null) {
            if (keep < 0) {
                throw wrongUsage("--keep is a number of days.");
            }
            return Instant.now().minus(Duration.ofDays(keep));
        }
        try {
            return LedgerFilterOptions.time("--before", before);
        } catch (IllegalArgumentException e) {
            throw wrongUsage(String.valueOf(e.getMessage()));
        }
    }

    private void list() {
        try (LedgerReader ledger = LedgerReader.open(dataDirectory())) {
            if (json()) {
                print(ledger.archives().stream()
                        .map(segment -> {
                            Map<String, Object> document = new LinkedHashMap<>();
                            document.put("name", segment.name());
                            document.put("entries", segment.entries());
                            document.put("first_at", segment.firstAt());
                            document.put("last_at", segment.lastAt());
                            document.put("deleted", segment.isDeleted());
                            document.put(
                                    "checkpoint", JsonValue.parse(segment.end().json()));
                            return document;
                        })
                        .toList());
                return;
            }
            Table table = new Table("NAME", "ENTRIES", "FIRST", "LAST", "FILES");
            for (ArchivedSegment segment : ledger.archives()) {
                table.row(
                        segment.name(),
                        Long.toString(segment.entries()),
                        segment.firstAt(),
                        segment.lastAt(),
                        segment.isDeleted() ? "deleted" : "there");
            }
            table.print(out());
        }
    }
}
