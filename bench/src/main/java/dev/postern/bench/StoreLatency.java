package dev.postern.bench;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.grant.GrantStore.Grant;
import dev.postern.gate.grant.GrantStore.Scope;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.VaultWriter.NewSecret;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import dev.postern.store.Store;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.store.sql.OperatorLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Prints what the store adds to a call, beside what the disk takes for one flush of 4 KiB in the same directory: an
 * intent and its entry, the claim of a grant, opening a value, and entries a second from many threads.
 *
 * <p>Run with the directory to use, an empty one on the disk to be measured: {@code StoreLatency DIR [CALLS]}.
 */
public final class StoreLatency {
    private static final byte[] ARGUMENTS =
            ("{\"content\":\"" + "x".repeat(1_400) + "{{vault:key}}\"}").getBytes(StandardCharsets.UTF_8);
    private static final ToolName TOOL = new ToolName("files", "write_file");
    private static final CallTrace.Decision DECISION =
            new CallTrace.Decision(1, "0".repeat(64), List.of("id.password@1"), null);
    private static final CallTrace TRACE = new CallTrace(
            DECISION,
            Stream.of("admitted", "judged", "resolved", "approved", "confirmed", "intended", "answered", "scrubbed")
                    .map(name -> new CallTrace.Stage(name, Duration.ofNanos(1_234_000)))
                    .toList());
    private static final int THREADS = 64;

    private StoreLatency() {}

    /** A step to be timed. */
    private interface Step {
        void run(int number) throws IOException;
    }

    public static void main(String[] arguments) throws Exception {
        Path path = Files.createDirectories(Path.of(arguments[0]));
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
        long started = System.nanoTime();
        try (DataDirectory directory = DataDirectory.open(path);
                Store store = Store.open(directory, KeySource.file())) {
            System.out.printf("open the store         %8.1f ms%n", (System.nanoTime() - started) / 1e6);
            latencies(store, path, calls);
            throughput(store.ledger(), calls);
        }
        try (LedgerReader reader = LedgerReader.open(path)) {
            long verifying = System.nanoTime();
            System.out.println(reader.verify((done, total) -> {}));
            System.out.printf("verify                 %8.1f ms%n", (System.nanoTime() - verifying) / 1e6);
        }
    }

    private static void latencies(Store store, Path path, int calls) throws IOException {
        SecretRecord secret = store.vaultWriter(OperatorLog.OPERATOR)
                .add(new NewSecret(
                        "key" + System.nanoTime(),
                        new SecretValue("a-value-of-24-characters".getBytes(StandardCharsets.UTF_8)),
                        null,
                        null,
                        null,
                        null,
                        List.of(),
                        DestinationRules.ANYWHERE,
                        "bench"));
        Scope scope = new Scope("agent", TOOL.toString(), secret.id(), Field.PASSWORD, "files");
        store.grants()
                .add(new Grant("g" + secret.id(), scope, null, null, Instant.now(), "bench", null, "agent", "secret"));
        Reference reference = new Reference(Reference.Kind.VAULT, secret.name(), Field.PASSWORD, List.of());
        Ledger ledger = store.ledger();
        try (FileChannel file = FileChannel.open(
                path.resolve("flush"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            ByteBuffer block = ByteBuffer.allocate(4096);
            print("flush 4 KiB (the disk)", calls, number -> {
                file.write(block.clear(), number % 256 * 4096L);
                file.force(false);
            });
        }
        print("find and open a value", calls, _ -> {
            SecretRecord found = store.vault().find(reference).orElseThrow();
            store.vault().open(found, Field.PASSWORD).close();
        });
        print("claim a grant", calls, _ -> {
            var _ = store.grants().claim(List.of(scope), Instant.now()).orElseThrow();
        });
        print("intent, durable", calls, number -> ledger.intend(intent("i" + number)));
        print("intent and entry", calls, number -> {
            ledger.intend(intent("b" + number));
            ledger.append(entry("b" + number, true));
        });
        print("whole granted call", calls, number -> {
            SecretRecord found = store.vault().find(reference).orElseThrow();
            List<String> claimed =
                    store.grants().claim(List.of(scope), Instant.now()).orElseThrow();
            store.grants().standing(claimed, Instant.now());
            store.vault().open(found, Field.PASSWORD).close();
            ledger.intend(intent("w" + number));
            ledger.append(entry("w" + number, true));
        });
        print("entry without intent", calls, number -> ledger.append(entry("p" + number, false)));
    }

    private static void throughput(Ledger ledger, int calls) {
        rate("intents and entries", calls * 8, number -> {
            ledger.intend(intent("t" + number));
            ledger.append(entry("t" + number, true));
        });
        rate("entries without intent", calls * 32, number -> ledger.append(entry("q" + number, false)));
    }

    private static void print(String what, int count, Step step) throws IOException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            step.run(i);
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%-22s p50 %8.0f us   p99 %8.0f us%n", what, nanos[count / 2] / 1e3, nanos[count * 99 / 100] / 1e3);
    }

    private static void rate(String what, int count, Step step) {
        AtomicLong next = new AtomicLong();
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < THREADS; thread++) {
                var _ = threads.submit(() -> {
                    for (long number = next.getAndIncrement(); number < count; number = next.getAndIncrement()) {
                        step.run((int) number);
                    }
                    return true;
                });
            }
        }
        System.out.printf(
                "%-22s %10.0f a second, %d threads%n", what, count / ((System.nanoTime() - start) / 1e9), THREADS);
    }

    private static LedgerIntent intent(String id) {
        return new LedgerIntent(
                new CallId(id), Instant.now(), "agent", TOOL, ARGUMENTS, List.of("id.password"), "grant:g", DECISION);
    }

    private static LedgerEntry entry(String id, boolean intended) {
        return new LedgerEntry(
                new CallId(id),
                Instant.now(),
                "agent",
                TOOL,
                ARGUMENTS,
                List.of("id.password"),
                Disposition.EXECUTED,
                null,
                "grant:g",
                3,
                200,
                0,
                null,
                intended,
                List.of(),
                TRACE);
    }
}
