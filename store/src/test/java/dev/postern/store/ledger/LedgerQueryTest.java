package dev.postern.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.store.Opened;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** L1: what people ask of the ledger: filters, pages that stand still, counts over time, one call's stages. */
final class LedgerQueryTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path directory;

    private Opened opened;
    private LedgerReader reader;

    @BeforeEach
    void open() {
        opened = Opened.in(directory);
        reader = LedgerReader.open(directory);
    }

    @AfterEach
    void close() {
        reader.close();
        opened.close();
    }

    @Test
    void eachFilterLetsItsOwnThrough() {
        add("a", 0, "ann", "files", "read", "{\"path\":\"a%b\"}", Disposition.EXECUTED, null, 0);
        add("b", 1, "bob", "files", "write", "{\"path\":\"axb\"}", Disposition.DENIED, "eve", 0);
        add("c", 2, "ann", "mail", "send", "{}", Disposition.EXECUTED, "grant:g1", 3);
        assertThat(ids(LedgerFilter.ALL)).containsExactly("c", "b", "a");
        assertThat(ids(LedgerFilter.ALL.byAgent("ann"))).containsExactly("c", "a");
        assertThat(ids(LedgerFilter.ALL.onServer("files"))).containsExactly("b", "a");
        assertThat(ids(LedgerFilter.ALL.ofTool("files__write"))).containsExactly("b");
        assertThat(ids(LedgerFilter.ALL.ofTool("send"))).containsExactly("c");
        assertThat(ids(LedgerFilter.ALL.withDisposition("DENIED"))).containsExactly("b");
        assertThat(ids(LedgerFilter.ALL.containing("A%B"))).containsExactly("a");
        assertThat(ids(LedgerFilter.ALL.containing("eve"))).containsExactly("b");
        assertThat(ids(LedgerFilter.ALL.between(NOON.plusSeconds(1), NOON.plusSeconds(2))))
                .containsExactly("b");
        assertThat(ids(LedgerFilter.ALL.byAgent("ann").onServer("mail"))).containsExactly("c");
    }

    @Test
    void pagesStandStillWhileTheLedgerGrows() {
        for (int i = 0; i < 10; i++) {
            add("call" + i, i, "ann", "files", "read", "{}", Disposition.EXECUTED, null, 0);
        }
        List<String> seen = new ArrayList<>();
        long before = LedgerPage.NEWEST;
        do {
            LedgerPage page = reader.page(LedgerFilter.ALL, before, 3);
            page.lines().forEach(line -> seen.add(line.id()));
            before = page.older();
            add("later" + before, 60, "ann", "files", "read", "{}", Disposition.EXECUTED, null, 0);
        } while (before > 0);
        assertThat(seen)
                .containsExactly(
                        "call9", "call8", "call7", "call6", "call5", "call4", "call3", "call2", "call1", "call0");
    }

    @Test
    void theLedgerCanBeFollowed() {
        add("a", 0, "ann", "files", "read", "{}", Disposition.EXECUTED, null, 0);
        add("b", 1, "bob", "files", "read", "{}", Disposition.EXECUTED, null, 0);
        add("c", 2, "ann", "files", "read", "{}", Disposition.EXECUTED, null, 0);
        assertThat(reader.after(LedgerFilter.ALL, 1, 10))
                .extracting(LedgerLine::id)
                .containsExactly("b", "c");
        assertThat(reader.after(LedgerFilter.ALL.byAgent("ann"), 1, 10))
                .extracting(LedgerLine::id)
                .containsExactly("c");
    }

    @Test
    void callsAreCountedOverTime() {
        add("a", 0, "ann", "files", "read", "{}", Disposition.EXECUTED, null, 2);
        add("b", 59, "ann", "files", "read", "{}", Disposition.DENIED, "eve", 0);
        add("c", 60, "ann", "files", "read", "{}", Disposition.EXECUTED, "eve", 1);
        add("d", 61, "ann", "files", "read", "{}", Disposition.EXECUTED, "grant:g", 1);
        add("e", 300, "ann", "files", "read", "{}", Disposition.TIMED_OUT, null, 0);
        assertThat(reader.buckets(LedgerFilter.ALL, Duration.ofMinutes(1)))
                .containsExactly(
                        new LedgerBucket(NOON, 2, 1, 0, 1, 2),
                        new LedgerBucket(NOON.plusSeconds(60), 2, 0, 0, 1, 2),
                        new LedgerBucket(NOON.plusSeconds(300), 1, 0, 1, 0, 0));
        assertThat(reader.buckets(LedgerFilter.ALL.between(NOON.plusSeconds(60), null), Duration.ofHours(1)))
                .containsExactly(new LedgerBucket(NOON, 3, 0, 1, 1, 2));
    }

    @Test
    void aCallTellsWhatItWasDecidedOnAndHowLongEachStageTook() {
        opened.store().ledger().intend(Calls.intent("traced"));
        opened.store().ledger().append(Calls.closing("traced"));
        LedgerTimeline timeline = reader.timeline("traced").orElseThrow();
        assertThat(timeline.policyRevision()).isEqualTo(3);
        assertThat(timeline.approval()).isEqualTo("approval-1");
        assertThat(timeline.secretVersions()).containsExactly("id.password@2");
        assertThat(timeline.stages())
                .containsExactly(
                        new LedgerTimeline.Stage("judged", Duration.ofNanos(150_000)),
                        new LedgerTimeline.Stage("approved", Duration.ofSeconds(2)));
        assertThat(timeline.line().approver()).isEqualTo("ada");
        assertThat(reader.timeline("another")).isEmpty();
    }

    @Test
    void whatBecameOfAnApprovalIsTold() {
        opened.store().ledger().intend(Calls.intent("traced"));
        assertThat(reader.ofApproval("approval-1", Instant.EPOCH)).isEmpty();
        opened.store().ledger().append(Calls.closing("traced"));
        assertThat(reader.ofApproval("approval-1", Instant.EPOCH).map(LedgerLine::id))
                .contains("traced");
        assertThat(reader.ofApproval("approval-2", Instant.EPOCH)).isEmpty();
        assertThat(reader.ofApproval("approval-1", Instant.parse("9999-01-01T00:00:00Z")))
                .isEmpty();
    }

    private List<String> ids(LedgerFilter filter) {
        return reader.page(filter, LedgerPage.NEWEST, 100).lines().stream()
                .map(LedgerLine::id)
                .toList();
    }

    private void add(
            String id,
            long seconds,
            String agent,
            String server,
            String tool,
            String arguments,
            Disposition disposition,
            @Nullable String approver,
            long hits) {
        opened.store()
                .ledger()
                .append(new LedgerEntry(
                        new CallId(id),
                        NOON.plusSeconds(seconds),
                        agent,
                        new ToolName(server, tool),
                        arguments.getBytes(StandardCharsets.UTF_8),
                        List.of(),
                        disposition,
                        disposition == Disposition.EXECUTED ? null : disposition.name(),
                        approver,
                        1,
                        1,
                        hits,
                        null,
                        false,
                        List.of(),
                        new CallTrace(null, List.of())));
        // Nobody waits for an entry without an intent; an intent takes along what was queued before it.
        opened.store().ledger().intend(Calls.intent("flush"));
    }
}
