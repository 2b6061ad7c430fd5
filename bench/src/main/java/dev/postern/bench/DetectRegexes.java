package dev.postern.bench;

import static java.util.Objects.requireNonNull;

import dev.postern.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The default rules written as ordinary regular expressions, for a comparison on equal terms: the form alone, without
 * entropy, checksums and placeholders, which would only make them slower.
 */
final class DetectRegexes {
    private DetectRegexes() {}

    /** One expression a rule, in a syntax that {@code java.util.regex} and RE2/J share. */
    static List<String> all() {
        List<String> expressions = new ArrayList<>();
        try (InputStream in =
                requireNonNull(DetectRegexes.class.getResourceAsStream("/dev/postern/detect/rules.json"))) {
            JsonValue file = JsonValue.parse(in.readAllBytes());
            for (JsonValue rule : requireNonNull(file.member("rules")).elements()) {
                expressions.add(expression(rule));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return expressions;
    }

    private static String expression(JsonValue rule) {
        String pattern = rule.string("pattern");
        if (pattern != null) {
            String before = rule.string("before");
            String fold = pattern.startsWith("(?i)") ? "(?i)" : "";
            return fold + translate(before) + translate(pattern.substring(fold.length()));
        }
        StringBuilder names = new StringBuilder();
        for (JsonValue name : requireNonNull(rule.member("names")).elements()) {
            names.append(names.isEmpty() ? "" : "|")
                    .append(Pattern.quote(name.string()).replaceAll("\\\\[QE]", ""));
        }
        String value = rule.string("value");
        return "(?i)(?:" + names + ")[\\w.-]{0,40}[\"'`]?\\s{0,8}[=:]\\s{0,8}[\"'`]?"
                + (value == null ? "\\S{5,}" : "(?:" + translate(value) + ")");
    }

    /** Our marks become plain groups, "up to" a lazy run; the rest is the same in all three. */
    private static String translate(@Nullable String pattern) {
        if (pattern == null) {
            return "";
        }
        return pattern.replace("(=", "(")
                .replace("(!", "(")
                .replaceAll("(?<!\\\\)~\\(([^)]*)\\)", "[\\\\s\\\\S]*?$1")
                .replace("\\~", "~")
                .replace("<>()\\[\\]\\{\\}", "<>()\\[\\]{}");
    }
}
