package dev.postern.gate.policy;

/** Where policy documents are kept. */
public interface PolicyStore {
    /** The document in force, with its revision; the built-in default has revision 0. */
    Stored current();

    /** Replaces the document whole; returns the new revision. The caller has checked it. */
    long apply(byte[] document, String actor);

    /** A document as stored. */
    record Stored(long revision, byte[] document) {
        @Override
        public String toString() {
            return "Stored[revision=" + revision + "]";
        }
    }
}
