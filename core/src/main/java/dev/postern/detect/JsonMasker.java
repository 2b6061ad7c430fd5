package dev.postern.detect;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.Splice;
import dev.postern.secret.SecretValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Masks secrets in a JSON message by splicing: what is not replaced keeps its exact bytes (S2). Member names are
 * searched too; numbers, booleans and null are not. Thread-safe.
 */
public final class JsonMasker {
    private final SecretDetector detector;

    private JsonMasker(SecretDetector detector) {
        this.detector = detector;
    }

    /** A masker with the rules that come with the library. */
    public static JsonMasker withDefaultRules() {
        return new JsonMasker(SecretDetector.withDefaultRules());
    }

    /** A masker with rules of the caller's choice. */
    public static JsonMasker of(DetectionRules rules) {
        return new JsonMasker(SecretDetector.of(rules));
    }

    /** Chooses what stands in the place of a finding. */
    @FunctionalInterface
    public interface Replacement {
        /**
         * Answers for one finding.
         *
         * @param value what was found, decoded; closed when this returns, so take a
         *     {@link SecretValue#copy() copy} to keep it
         * @return what stands there instead, without quote, backslash or control character; null leaves it as it is
         */
        @Nullable
        String replace(Finding finding, SecretValue value);
    }

    /** A masked message. Not a record: an array's contents would not count in its equality. */
    public static final class MaskedJson {
        private final byte[] json;
        private final List<Finding> findings;
        private final String detectorVersion;

        MaskedJson(byte[] json, List<Finding> findings, String detectorVersion) {
            this.json = json;
            this.findings = List.copyOf(findings);
            this.detectorVersion = detectorVersion;
        }

        /** The message; the very array that was given, if nothing was replaced. */
        public byte[] json() {
            return json;
        }

        /** What was found, replaced or not, in order. */
        public List<Finding> findings() {
            return findings;
        }

        public String detectorVersion() {
            return detectorVersion;
        }

        /** Says what was found, not the message. */
        @Override
        public String toString() {
            return "MaskedJson[findings=" + findings + ", detectorVersion=" + detectorVersion + "]";
        }
    }

    /**
     * Reports what is found.
     *
     * @throws JsonException if {@code json} is not one well-formed JSON value
     */
    public List<Finding> scan(byte[] json) {
        JsonValue.parse(json);
        try (Detection detection = detector.detectJson(json, null)) {
            return detection.findings();
        }
    }

    /** Replaces each found span by {@code [REDACTED:<category>]}; see {@link #mask(byte[], Replacement)}. */
    public MaskedJson mask(byte[] json) {
        return mask(json, (finding, value) -> ResponseSanitizer.replacement(finding.category()));
    }

    /**
     * Replaces each found span by what {@code replacement} answers.
     *
     * @throws JsonException if {@code json} is not one well-formed JSON value
     * @throws IllegalArgumentException if a replacement would break the string it stands in
     */
    public MaskedJson mask(byte[] json, Replacement replacement) {
        return mask(json, null, replacement);
    }

    /**
     * As {@link #mask(byte[], Replacement)}, for a message from somewhere.
     *
     * @param path where it is from, for allow lists that name paths; {@code /} between its parts
     */
    public MaskedJson mask(byte[] json, @Nullable String path, Replacement replacement) {
        JsonValue.parse(json);
        try (Detection detection = detector.detectJson(json, path)) {
            List<Hit> hits = detection.hits();
            List<Finding> findings = detection.findings();
            Splice splice = new Splice(json);
            for (int i = 0; i < hits.size(); i++) {
                String text = replacement(replacement, findings.get(i), hits.get(i));
                if (text != null) {
                    splice.replace(hits.get(i).originalStart(), hits.get(i).originalEnd(), Ascii.bytes(text));
                }
            }
            return new MaskedJson(splice.apply(), findings, detector.version());
        }
    }

    /** The version that stands in every result. */
    public String detectorVersion() {
        return detector.version();
    }

    private static @Nullable String replacement(Replacement replacement, Finding finding, Hit hit) {
        byte[] found = Arrays.copyOfRange(hit.buffer.bytes(), hit.start, hit.end);
        try (SecretValue value = new SecretValue(found)) {
            String text = replacement.replace(finding, value);
            if (text != null && !text.chars().allMatch(c -> c >= ' ' && c != '"' && c != '\\')) {
                throw new IllegalArgumentException("a replacement holds a quote, a backslash or a control character");
            }
            return text;
        } finally {
            Arrays.fill(found, (byte) 0);
        }
    }
}
