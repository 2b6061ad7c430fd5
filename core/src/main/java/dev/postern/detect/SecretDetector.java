package dev.postern.detect;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds secrets nobody told us about, by rules (D1). Says where and which kind, never what. Thread-safe.
 *
 * <p>Time is linear in the text, whatever the text (S12). A text that is JSON, a fenced block that is and a line that
 * is are read string by string, decoded; spans always point into the text as given.
 */
public final class SecretDetector {
    /** The version of the detection engine and of the default rules, by semantic versioning; in every result (D2). */
    public static final String VERSION = "1.0.0";

    private final DetectionRules rules;

    private SecretDetector(DetectionRules rules) {
        this.rules = rules;
    }

    /** A detector with the rules that come with the library. */
    public static SecretDetector withDefaultRules() {
        return new SecretDetector(DetectionRules.defaults());
    }

    /** A detector with rules of the caller's choice. */
    public static SecretDetector of(DetectionRules rules) {
        return new SecretDetector(rules);
    }

    /** What is found in {@code text}, in its order; spans do not overlap and are those that masking replaces. */
    public List<Finding> scan(CharSequence text) {
        return scan(text, null);
    }

    /**
     * As {@link #scan(CharSequence)}, for a file's text.
     *
     * @param path where the text is from, for allow lists that name paths; {@code /} between its parts
     */
    public List<Finding> scan(CharSequence text, @Nullable String path) {
        return scan(text.toString().getBytes(StandardCharsets.UTF_8), path);
    }

    /**
     * As {@link #scan(CharSequence)}, for UTF-8. Spans still count {@code char}s: those of
     * {@code new String(utf8, UTF_8)}.
     */
    public List<Finding> scan(byte[] utf8) {
        return scan(utf8, null);
    }

    /** As {@link #scan(CharSequence, String)}, for UTF-8. */
    public List<Finding> scan(byte[] utf8, @Nullable String path) {
        byte[] text = Utf8.wellFormed(utf8);
        try (Detection detection = detect(text, path)) {
            return detection.findings();
        }
    }

    /** The version that stands in every result: the engine's, and the rules' where they are not the default ones. */
    public String version() {
        return rules.version().equals(VERSION) ? VERSION : VERSION + "+rules." + rules.version();
    }

    /** @param text well-formed UTF-8 */
    Detection detect(byte[] text, @Nullable String path) {
        return Detection.ofText(rules, text, path);
    }

    /** @param json well-formed JSON */
    Detection detectJson(byte[] json, @Nullable String path) {
        return Detection.ofJson(rules, json, path);
    }
}
