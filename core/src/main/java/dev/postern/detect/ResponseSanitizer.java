package dev.postern.detect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Masks secrets in text that a model or a tool wrote, so that JSON in it still parses. Thread-safe.
 *
 * <p>{@link #scan(String)} and {@link #scanAndMask(String)} report the same spans (D2). In JSON, and in fenced blocks
 * and lines that are JSON, strings are masked one by one, so what was valid stays valid. In other text a span ends
 * before the first unescaped {@code "} where what stands before it still matches (D3). What stays visible and what
 * may stay corrupt is listed in docs/detection.md.
 */
public final class ResponseSanitizer {
    private final SecretDetector detector;

    private ResponseSanitizer(SecretDetector detector) {
        this.detector = detector;
    }

    /** A sanitizer with the rules that come with the library. */
    public static ResponseSanitizer withDefaultRules() {
        return new ResponseSanitizer(SecretDetector.withDefaultRules());
    }

    /** A sanitizer with rules of the caller's choice. */
    public static ResponseSanitizer of(DetectionRules rules) {
        return new ResponseSanitizer(SecretDetector.of(rules));
    }

    /** What stands in the place of a secret: no quote, no backslash, so it is at home in any string. */
    public static String replacement(String category) {
        return "[REDACTED:" + category + "]";
    }

    /** Reports what is found and leaves the text as it is. */
    public SanitizationResult scan(String text) {
        return new SanitizationResult(text, false, detector.scan(text), detector.version());
    }

    /** As {@link #scan(String)}, for UTF-8. */
    public SanitizationResult scan(byte[] utf8) {
        return scan(new String(utf8, StandardCharsets.UTF_8));
    }

    /** Replaces each found span by {@code [REDACTED:<category>]}. A clean text comes back as the same instance. */
    public SanitizationResult scanAndMask(String text) {
        List<Finding> findings = detector.scan(text);
        if (findings.isEmpty()) {
            return new SanitizationResult(text, false, findings, detector.version());
        }
        return new SanitizationResult(masked(text, 0, text.length(), findings), true, findings, detector.version());
    }

    /** As {@link #scanAndMask(String)}, for UTF-8. */
    public SanitizationResult scanAndMask(byte[] utf8) {
        return scanAndMask(new String(utf8, StandardCharsets.UTF_8));
    }

    /**
     * Masks one text that came in pieces, as a stream brings it: a secret may be cut anywhere. What stands for a span stands
     * in the piece in which the span starts.
     *
     * @param pieces the whole text in order
     * @return as many pieces; the very list that was given if nothing was found
     */
    public List<String> maskPieces(List<String> pieces) {
        String whole = String.join("", pieces);
        List<Finding> findings = detector.scan(whole);
        if (findings.isEmpty()) {
            return pieces;
        }
        List<String> masked = new ArrayList<>(pieces.size());
        int start = 0;
        for (String piece : pieces) {
            masked.add(masked(whole, start, start + piece.length(), findings));
            start += piece.length();
        }
        return masked;
    }

    private static String masked(String whole, int from, int to, List<Finding> findings) {
        StringBuilder masked = new StringBuilder();
        int at = from;
        for (Finding finding : findings) {
            if (finding.start() >= from && finding.start() < to) {
                masked.append(whole, at, finding.start()).append(replacement(finding.category()));
            }
            if (finding.start() < to) {
                at = Math.max(at, Math.min(to, finding.end()));
            }
        }
        return masked.append(whole, at, to).toString();
    }

    /** The version that stands in every result. */
    public String detectorVersion() {
        return detector.version();
    }
}
