package dev.postern.app.e2e;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What was changed while calls waited, and between which moments of the wall clock each change took hold: not before it was
 * asked for, and at the latest when its answer came.
 */
final class ReplayJournal {
    private final List<Change> changes = new ArrayList<>();

    enum Kind {
        /** The policy was replaced; the revisions follow each other in the order of these. */
        POLICY,
        /** A secret, by name, got its next version. */
        ROTATE,
        /** A grant, by id, was revoked. */
        REVOKE_GRANT,
        /** An agent, by name, was revoked. */
        REVOKE_AGENT,
        /** Everything was stopped, or let go on. */
        KILL,
        UNKILL
    }

    /** One change; times in microseconds since the epoch. */
    record Change(Kind kind, String subject, long asked, long answered) {}

    /** A change to be made. */
    @FunctionalInterface
    interface Act {
        void run();
    }

    void make(Kind kind, String subject, Act act) {
        long asked = now();
        act.run();
        changes.add(new Change(kind, subject, asked, now()));
    }

    List<Change> of(Kind kind, String subject) {
        return changes.stream()
                .filter(change -> change.kind() == kind && change.subject().equals(subject))
                .toList();
    }

    List<Change> of(Kind kind) {
        return changes.stream().filter(change -> change.kind() == kind).toList();
    }

    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
