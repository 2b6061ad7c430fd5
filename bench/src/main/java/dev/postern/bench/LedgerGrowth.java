package dev.postern.bench;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.store.Store;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.ledger.LedgerFilter;
import dev.postern.store.ledger.LedgerPage;
import dev.postern.store.ledger.LedgerReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shows whether appending to the ledger stays as fast as it grows: prints, after each tenth of ENTRIES, entries a second and the median
 * of a durable intent with its entry; then how long a page, a chart and a whole verification take.
 *
 * <p>Run with an empty directory on the disk to be measured: {@code LedgerGrowth DIR ENTRIES}.
 */
public final class LedgerGrowth {
    private static final int TENTHS = 10;
    private static final int DURABLE = 200;
    private static final byte[] ARGUMENTS =
            ("{\"path\":\"" + "x".repeat(200) + "\",\"content\":\"{{vault:key}}\"}").getBytes(StandardCharsets.UTF_8);
    private static final ToolName TOOL = new ToolName("files", "write_file");
    private static final CallTrace TRACE = new CallTrace(
            new CallTrace.Decision(1, "0".repeat(64), List.of("id.password@1"), null),
            Stream.of(
                            "admitted",
                            "judged",
                            "resolved",
                            "approved",
                            "confirmed",
                            "intended",
                            "answered",
                            "scrubbed",
                            "closed")
                    .map(name -> new CallTrace.Stage(name, Duration.ofNanos(1_234_000)))
                    .toList());

    private LedgerGrowth() {}

    public static void main(String[] arguments) throws IOException {
        Path path = Files.createDirectories(Path.of(arguments[0]));
        int entries = Integer.parseInt(arguments[1]);
        try (DataDirectory directory = DataDirectory.open(path);
                Store store = Store.open(directory, KeySource.file())) {
            System.out.println("   entries   entries/s   intent and entry, durable, us   database, MiB");
            for (int tenth = 1; tenth <= TENTHS; tenth++) {
                long start = System.nanoTime();
                for (int i = 0; i < entries / TENTHS; i++) {
                    store.ledger().append(entry(CallId.random(), false));
                }
                durable(store);
                double seconds = (System.nanoTime() - start) / 1e9;
                long[] nanos = new long[DURABLE];
                for (int i = 0; i < DURABLE; i++) {
                    long before = System.nanoTime();
                    durable(store);
                    nanos[i] = System.nanoTime() - before;
                }
                Arrays.sort(nanos);
                System.out.printf(
                        "%10d %11.0f %31.0f %15d%n",
                        (long) entries / TENTHS * tenth,
                        (double) entries / TENTHS / seconds,
                        nanos[DURABLE / 2] / 1e3,
                        Files.size(directory.databaseFile()) >> 20);
            }
        }
        try (LedgerReader reader = LedgerReader.open(path)) {
            time("a page of 50", () -> reader.page(LedgerFilter.ALL, LedgerPage.NEWEST, 50));
            time(
                    "a page of 50 of one agent",
                    () -> reader.page(LedgerFilter.ALL.byAgent("agent"), LedgerPage.NEWEST, 50));
            time(
                    "the last hour, by minute",
                    () -> reader.buckets(
                            LedgerFilter.ALL.between(Instant.now().minus(Duration.ofHours(1)), null),
                            Duration.ofMinutes(1)));
            time("verify, everything", () -> reader.verify((done, total) -> {}));
        }
    }

    private static void time(String what, Runnable work) {
        long start = System.nanoTime();
        work.run();
        System.out.printf("%-28s %8.1f ms%n", what, (System.nanoTime() - start) / 1e6);
    }

    private static void durable(Store store) {
        CallId id = CallId.random();
        store.ledger()
                .intend(new LedgerIntent(
                        id,
                        Instant.now(),
                        "agent",
                        TOOL,
                        ARGUMENTS,
                        List.of("id.password"),
                        "operator",
                        TRACE.decision()));
        store.ledger().append(entry(id, true));
    }

    private static LedgerEntry entry(CallId id, boolean intended) {
        return new LedgerEntry(
                id,
                Instant.now(),
                "agent",
                TOOL,
                ARGUMENTS,
                List.of("id.password"),
                Disposition.EXECUTED,
                null,
                "operator",
                3,
                200,
                0,
                null,
                intended,
                List.of(),
                TRACE);
    }
}
