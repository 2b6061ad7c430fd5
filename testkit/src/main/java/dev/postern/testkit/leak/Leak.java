package dev.postern.testkit.leak;

/**
 * A value that can be read from what should hide it.
 *
 * @param value which of the values, counted from 0
 * @param how the decodings that lead to it, outermost first, such as {@code "string > percent > base64"}
 */
public record Leak(int value, String how) {}
