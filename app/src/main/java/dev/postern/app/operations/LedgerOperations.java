package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.store.ledger.ArchivedSegment;
import dev.postern.store.ledger.LedgerArchives;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** {@code ledger.archive} and {@code ledger.delete-archives}: what becomes of old entries (L2). */
public final class LedgerOperations {
    private final LedgerArchives archives;
    private final String operator;

    /**
     * Acts in one person's name.
     *
     * @param operator who archives, for the record of acts
     */
    public LedgerOperations(LedgerArchives archives, String operator) {
        this.archives = archives;
        this.operator = operator;
    }

    /** Adds both; each answers with the segments that it moved or deleted. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("ledger.archive", (request, peer) -> documents(archives.archive(before(request), operator)));
        operations.put(
                "ledger.delete-archives", (request, peer) -> documents(archives.delete(before(request), operator)));
    }

    private static Instant before(ControlRequest request) {
        Long before = request.number("before");
        if (before == null) {
            throw new ControlException(ExitCode.WRONG_USAGE, "the argument 'before' is missing.");
        }
        return Instant.ofEpochMilli(before);
    }

    private static List<Map<String, Object>> documents(List<ArchivedSegment> segments) {
        return segments.stream()
                .map(segment -> Map.<String, Object>of("name", segment.name(), "entries", segment.entries()))
                .toList();
    }
}
