package dev.postern.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.gate.detect.Detected;
import dev.postern.gate.detect.DetectionMode;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.json.JsonValue;
import dev.postern.store.Opened;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import dev.postern.store.sql.Repositories;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** L1 to L3, written. */
final class SqlLedgerTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("L2: a line has its members in the fixed order, and its hash is that of the line without it")
    void theLineIsTheContract() throws Exception {
        try (Opened opened = Opened.in(directory)) {
            opened.store().ledger().intend(Calls.intent("one"));
            opened.store().ledger().append(Calls.closing("one"));
            opened.store().ledger().append(Calls.entry("two", "{}", "no such tool"));
        }
        List<String> lines = Calls.export(directory);
        assertThat(lines).hasSize(2);
        String unhashed =
                "{\"id\":\"one\",\"at\":\"2026-03-01T12:00:00.120Z\",\"agent\":\"claude\",\"server\":\"files\","
                        + "\"tool\":\"write_file\",\"arguments\":{\"content\":\"{{vault:key}}\"},\"secret_refs\":[\"id.password\"],"
                        + "\"disposition\":\"EXECUTED\",\"code\":null,\"approver\":\"ada\",\"duration_ms\":12,\"result_bytes\":345,"
                        + "\"scrub_hits\":1,\"error\":null,\"prev_hash\":\"" + "0".repeat(64) + "\"}";
        String hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(unhashed.getBytes(StandardCharsets.UTF_8)));
        assertThat(lines.getFirst())
                .isEqualTo(unhashed.substring(0, unhashed.length() - 1) + ",\"hash\":\"" + hash + "\"}");
        assertThat(JsonValue.parse(lines.getLast().getBytes(StandardCharsets.UTF_8))
                        .string("prev_hash"))
                .isEqualTo(hash);
        assertThat(Calls.verify(directory)).isInstanceOf(Verification.Intact.class);
    }

    @Test
    @DisplayName("D6, L2: what was detected is a member of the lines of those calls alone, and the hash covers it")
    void findings() throws Exception {
        LedgerEntry plain = Calls.plain("plain");
        try (Opened opened = Opened.in(directory)) {
            opened.store().ledger().append(plain);
            opened.store()
                    .ledger()
                    .append(new LedgerEntry(
                            plain.id(),
                            plain.at(),
                            plain.agent(),
                            plain.tool(),
                            plain.arguments(),
                            plain.secretRefs(),
                            plain.disposition(),
                            plain.code(),
                            plain.approver(),
                            plain.durationMillis(),
                            plain.resultBytes(),
                            plain.scrubHits(),
                            plain.error(),
                            plain.intended(),
                            Collections.nCopies(
                                    40,
                                    new Detected(
                                            Detected.Direction.RESULT,
                                            "env_secret",
                                            "env_variable",
                                            DetectionMode.CAPTURE,
                                            3,
                                            9,
                                            "{{vault:captured.1}}")),
                            null));
        }
        List<String> lines = Calls.export(directory);
        String finding = "{\"direction\":\"result\",\"rule\":\"env_secret\",\"category\":\"env_variable\","
                + "\"action\":\"capture\",\"start\":3,\"end\":9,\"reference\":\"{{vault:captured.1}}\"}";
        assertThat(lines.getFirst()).doesNotContain("findings");
        assertThat(lines.getLast())
                .contains(
                        "\"error\":null,\"findings\":[" + (finding + ",").repeat(32) + "{\"more\":8}],\"prev_hash\":");
        assertThat(Calls.verify(directory)).isInstanceOf(Verification.Intact.class);
        Opened.tamper(directory, "UPDATE ledger SET findings = NULL");
        assertThat(Calls.verify(directory)).isInstanceOf(Verification.Broken.class);
    }

    @Test
    @DisplayName("L2: whatever an agent names its tools and arguments, an entry is one line of JSON")
    void hostileTextIsOneLine() {
        List<String> texts = List.of(
                "\"quoted\" \\ back",
                "line\nbreak\r\ttab",
                "nul\u0000bell\u0007",
                "lone \ud800 half",
                "é 😀 \u2028 \u0085 end");
        List<String> arguments = List.of(
                "{\n  \"a\" : [ 1.0e400 ,\t-0 ] ,\r\n \"b\" : \"x \\n \\\" y\" }",
                "{\"a\": \"unfinished",
                "",
                "\u00e9",
                "[".repeat(600) + "]".repeat(600));
        try (Opened opened = Opened.in(directory)) {
            for (int i = 0; i < texts.size(); i++) {
                opened.store().ledger().append(Calls.entry(texts.get(i), arguments.get(i), texts.get(i)));
            }
        }
        List<String> lines = Calls.export(directory);
        assertThat(lines).hasSize(5);
        for (String line : lines) {
            JsonValue.parse(line.getBytes(StandardCharsets.UTF_8), 1000);
        }
        assertThat(lines.get(0)).contains("\"arguments\":{\"a\":[1.0e400,-0],\"b\":\"x \\n \\\" y\"}");
        assertThat(lines.get(1)).contains("\"arguments\":\"{\\\"a\\\": \\\"unfinished\"");
        assertThat(lines.get(2)).contains("\"arguments\":null").contains("\"id\":\"nul\\u0000bell\\u0007\"");
        assertThat(Calls.verify(directory)).isInstanceOf(Verification.Intact.class);
        try (LedgerReader reader = LedgerReader.open(directory)) {
            assertThat(reader.find(texts.get(2))).map(LedgerLine::error).contains(texts.get(2));
        }
    }

    @Test
    @DisplayName("L2: entries of 64 threads, each in its thread's order, in one chain that verifies")
    void manyThreadsWriteOneChain() {
        int threads = 64;
        int calls = 50;
        try (Opened opened = Opened.in(directory)) {
            Ledger ledger = opened.store().ledger();
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int thread = 0; thread < threads; thread++) {
                    String name = "t" + thread + "-";
                    executor.execute(() -> {
                        for (int call = 0; call < calls; call++) {
                            if (call % 5 == 0) {
                                ledger.intend(Calls.intent(name + call));
                                ledger.append(Calls.closing(name + call));
                            } else {
                                ledger.append(Calls.plain(name + call));
                            }
                        }
                    });
                }
            }
        }
        List<LedgerLine> lines = Calls.lines(directory);
        assertThat(lines).hasSize(threads * calls);
        Map<String, Integer> last = new HashMap<>();
        for (LedgerLine line : lines) {
            String thread = line.id().substring(0, line.id().indexOf('-'));
            int call = Integer.parseInt(line.id().substring(line.id().indexOf('-') + 1));
            assertThat(call).as(line.id()).isEqualTo(last.getOrDefault(thread, -1) + 1);
            last.put(thread, call);
        }
        assertThat(Calls.verify(directory))
                .isEqualTo(
                        new Verification.Intact(lines.size(), 0, lines.getLast().hash(), lines.size(), 0, 0));
    }

    @Test
    void anEntryThatClosesAnIntentIsThereWhenAppendReturns() {
        try (Opened opened = Opened.in(directory)) {
            opened.store().ledger().append(Calls.plain("before"));
            opened.store().ledger().intend(Calls.intent("one"));
            assertThat(Calls.export(directory)).hasSize(1);
            opened.store().ledger().append(Calls.closing("one"));
            assertThat(Calls.export(directory)).hasSize(2);
        }
    }

    @Test
    void theChainGoesOnAfterARestart() {
        List<String> before = new ArrayList<>();
        for (int start = 0; start < 3; start++) {
            try (Opened opened = Opened.in(directory)) {
                opened.store().ledger().append(Calls.plain("call" + start));
            }
            List<String> now = Calls.export(directory);
            assertThat(now).hasSize(start + 1);
            assertThat(now.subList(0, start)).isEqualTo(before);
            before = now;
        }
        assertThat(Calls.verify(directory)).isInstanceOf(Verification.Intact.class);
    }

    @Test
    @DisplayName("L3: while nothing can be written nothing may leave; what was queued is not lost")
    void aLedgerThatCannotBeWrittenFailsClosed() throws Exception {
        try (Opened opened = Opened.in(directory)) {
            Ledger ledger = opened.store().ledger();
            ledger.append(Calls.plain("first"));
            ledger.intend(Calls.intent("open"));
            Opened.tamper(directory, "ALTER TABLE ledger RENAME TO away");
            assertThatThrownBy(() -> ledger.append(Calls.closing("open")))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageStartingWith("ledger.append failed (SQLITE_");
            assertThat(ledger.isWritable()).isFalse();
            assertThatThrownBy(() -> ledger.append(Calls.plain("second")))
                    .isInstanceOf(LedgerUnavailableException.class);
            assertThatThrownBy(() -> ledger.intend(Calls.intent("refused")))
                    .isInstanceOf(LedgerUnavailableException.class);
            Opened.tamper(directory, "ALTER TABLE away RENAME TO ledger");
            ledger.append(Calls.plain("third"));
            assertThat(ledger.isWritable()).isTrue();
            assertThat(Calls.export(directory))
                    .extracting(line -> JsonValue.parse(line.getBytes(StandardCharsets.UTF_8))
                            .string("id"))
                    .containsExactly("first", "open", "second", "third");
            assertThat(Calls.verify(directory))
                    .asInstanceOf(type(Verification.Intact.class))
                    .returns(0L, Verification.Intact::open);
        }
    }

    @Test
    @DisplayName("L3: on a full disk no intent is durable, so nothing leaves; with space again, nothing was lost")
    void aFullDiskFailsClosed() throws Exception {
        try (DataDirectory data = DataDirectory.open(directory);
                Repositories repositories = Repositories.open(data, KeySource.file(), InstantSource.system())) {
            SqlLedger ledger =
                    new SqlLedger(repositories.database(), repositories.signingKeys(), InstantSource.system());
            ledger.intend(Calls.intent("before"));
            // SQLite's own limit gives what a full disk gives: SQLITE_FULL, and a rollback in the middle of the work.
            repositories.database().write("test", statements -> statements.number("PRAGMA max_page_count = 1"));
            String large = "{\"content\":\"" + "x".repeat(100_000) + "\"}";
            ledger.append(Calls.entry("queued", large, null));
            assertThatThrownBy(() -> ledger.intend(Calls.intent("refused")))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("SQLITE_FULL");
            assertThat(ledger.isWritable()).isFalse();
            assertThatThrownBy(() -> ledger.append(Calls.closing("before")))
                    .isInstanceOf(LedgerUnavailableException.class);
            repositories.database().write("test", statements -> statements.number("PRAGMA max_page_count = 100000"));
            ledger.intend(Calls.intent("after"));
            ledger.append(Calls.closing("after"));
            assertThat(ledger.isWritable()).isTrue();
        }
        assertThat(Calls.export(directory))
                .extracting(line ->
                        JsonValue.parse(line.getBytes(StandardCharsets.UTF_8)).string("id"))
                .containsExactly("queued", "before", "after");
        assertThat(Calls.verify(directory))
                .asInstanceOf(type(Verification.Intact.class))
                .returns(0L, Verification.Intact::open);
    }

    @Test
    void afterTheEndNothingIsTaken() {
        Ledger ledger;
        try (Opened opened = Opened.in(directory)) {
            ledger = opened.store().ledger();
        }
        assertThatThrownBy(() -> ledger.intend(Calls.intent("late"))).isInstanceOf(LedgerUnavailableException.class);
        assertThatThrownBy(() -> ledger.append(Calls.closing("late"))).isInstanceOf(LedgerUnavailableException.class);
    }

    @Test
    void aFullQueueMakesCallersWaitAndLosesNothing() throws Exception {
        String arguments = "{\"content\":\"" + "x".repeat(2_000) + "\"}";
        try (DataDirectory data = DataDirectory.open(directory);
                Repositories repositories = Repositories.open(data, KeySource.file(), InstantSource.system())) {
            SqlLedger ledger = new SqlLedger(repositories.database(), null, 8_000);
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 300; i++) {
                    String id = "call" + i;
                    executor.execute(() -> ledger.append(Calls.entry(id, arguments, null)));
                }
            }
            ledger.append(Calls.entry("larger than the queue", "\"" + "x".repeat(20_000) + "\"", null));
            ledger.flush();
        }
        assertThat(Calls.verify(directory))
                .asInstanceOf(type(Verification.Intact.class))
                .returns(301L, Verification.Intact::entries);
    }

    @Test
    @DisplayName("L3: while nothing can be written, what does not fit the queue is refused")
    void aFullQueueThatCannotBeWrittenTakesNothing() throws Exception {
        try (DataDirectory data = DataDirectory.open(directory);
                Repositories repositories = Repositories.open(data, KeySource.file(), InstantSource.system())) {
            SqlLedger ledger = new SqlLedger(repositories.database(), null, 2_000);
            Opened.tamper(directory, "ALTER TABLE ledger RENAME TO away");
            for (int i = 0; i < 10; i++) {
                LedgerEntry entry = Calls.entry("call" + i, "{}", null);
                var _ = catchThrowable(() -> ledger.append(entry));
            }
            assertThat(ledger.isWritable()).isFalse();
            Opened.tamper(directory, "ALTER TABLE away RENAME TO ledger");
            ledger.flush();
        }
        assertThat(Calls.lines(directory)).extracting(LedgerLine::id).containsExactly("call0", "call1", "call2");
    }
}
