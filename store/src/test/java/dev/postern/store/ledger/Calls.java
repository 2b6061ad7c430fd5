package dev.postern.store.ledger;

import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.ledger.CallTrace;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls for the ledger. */
final class Calls {
    private static final Instant AT = Instant.parse("2026-03-01T12:00:00.120Z");
    private static final ToolName TOOL = new ToolName("files", "write_file");

    private static final CallTrace TRACE = new CallTrace(
            new CallTrace.Decision(3, "abc", List.of("id.password@2"), "approval-1"),
            List.of(
                    new CallTrace.Stage("judged", Duration.ofNanos(150_000)),
                    new CallTrace.Stage("approved", Duration.ofSeconds(2))));

    private Calls() {}

    static LedgerIntent intent(String id) {
        return new LedgerIntent(
                new CallId(id),
                AT,
                "claude",
                TOOL,
                bytes("{\"content\":\"{{vault:key}}\"}"),
                List.of("id.password"),
                "ada",
                TRACE.decision());
    }

    static LedgerEntry closing(String id) {
        return new LedgerEntry(
                new CallId(id),
                AT,
                "claude",
                TOOL,
                bytes("{\"content\":\"{{vault:key}}\"}"),
                List.of("id.password"),
                Disposition.EXECUTED,
                null,
                "ada",
                12,
                345,
                1,
                null,
                true,
                List.of(),
                TRACE);
    }

    static LedgerEntry plain(String id) {
        return entry(id, "{\"path\":\"a.txt\"}", null);
    }

    static LedgerEntry entry(String id, String arguments, @Nullable String error) {
        return new LedgerEntry(
                new CallId(id),
                AT,
                "claude",
                TOOL,
                bytes(arguments),
                List.of(),
                error == null ? Disposition.EXECUTED : Disposition.FAILED,
                error == null ? null : "FAILED",
                null,
                7,
                8,
                0,
                error,
                false,
                List.of(),
                null);
    }

    static List<String> export(Path directory) {
        return new String(exportBytes(directory), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    static List<LedgerLine> lines(Path directory) {
        try (LedgerReader reader = LedgerReader.open(directory)) {
            return reader.tail(Integer.MAX_VALUE);
        }
    }

    static byte[] exportBytes(Path directory) {
        try (LedgerReader reader = LedgerReader.open(directory)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            reader.export(out, LedgerFilter.ALL);
            return out.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Verification verify(Path directory) {
        try (LedgerReader reader = LedgerReader.open(directory)) {
            return reader.verify((done, total) -> {});
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
