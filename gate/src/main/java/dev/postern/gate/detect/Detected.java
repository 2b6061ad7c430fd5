package dev.postern.gate.detect;

import org.jspecify.annotations.Nullable;

/**
 * What was found in a call or its answer, and what became of it. No value and no preview (D1).
 *
 * @param direction which way it went
 * @param rule the rule that found it
 * @param category what was found, such as {@code api_key}
 * @param action what was done: {@code REPORT} where it passed
 * @param start where it began: the character in the arguments, or in the member {@code result} or {@code error}, after
 *     known values were scrubbed
 * @param end one past its last character
 * @param reference what stands in its place, if it was captured
 */
public record Detected(
        Direction direction,
        String rule,
        String category,
        DetectionMode action,
        int start,
        int end,
        @Nullable String reference) {
    /** The way a message goes. */
    public enum Direction {
        ARGUMENTS,
        RESULT
    }
}
