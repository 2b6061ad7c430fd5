package dev.postern.gate.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Where policy documents are kept. */
public interface PolicyStore {
    /** The document in force, with its revision; the built-in default has revision 0. */
    Stored current();

    /** Replaces the document whole; returns the new revision. The caller has checked it. */
    long apply(byte[] document, String actor);

    /** What was applied before a revision, newest first. */
    List<Revision> history(long before, int limit);

    /** An earlier document, or the one in force; empty if there is none of this revision. */
    Optional<Stored> find(long revision);

    /** One document that was applied. */
    record Revision(long revision, Instant appliedAt, String actor) {}

    /** A document as stored. */
    record Stored(long revision, byte[] document) {
        @Override
        public String toString() {
            return "Stored[revision=" + revision + "]";
        }
    }
}
