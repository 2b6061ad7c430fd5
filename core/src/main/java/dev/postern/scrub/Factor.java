package dev.postern.scrub;

/**
 * A stretch of a pattern that shows in every text that holds the pattern, unless one of its own characters is escaped
 * or the text is cut there.
 *
 * @param offset where it starts in the pattern, in bytes
 * @param length in bytes
 */
record Factor(Pattern pattern, int offset, int length) {
    @Override
    public String toString() {
        return "Factor[" + offset + ", " + length + "]";
    }
}
