package dev.postern.reference;

import dev.postern.json.JacksonOracle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules R1 to R7 once more, slow and obvious: another parser's strings and regular expressions. */
final class ReferenceOracle {
    static final Pattern MARKER = Pattern.compile("\\{\\{(?:(?i)vault|secret):");
    static final Pattern REFERENCE = Pattern.compile("\\{\\{(?:(?<vault>(?i:vault)):(?<name>[a-z0-9_.-]{1,64})"
            + "(?:#(?<vaultField>password|username|notes))?"
            + "|(?<secret>(?i:secret)):(?<id>(?i:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}))"
            + "(?:\\.(?<secretField>password|username|notes))?"
            + ")(?<filters>(?:\\|(?:uri|base64|json|shell|basic)){0,8})\\}\\}");

    private ReferenceOracle() {}

    /** Whether any string or name has a marker. */
    static boolean hasMarker(String json) {
        return JacksonOracle.read(json).stream()
                .anyMatch(step -> (step.isString() || step.isName())
                        && MARKER.matcher(step.text()).find());
    }

    /** {@code pointer reference} of each, or null for a refusal. */
    static @Nullable List<String> references(String json) {
        List<String> found = new ArrayList<>();
        for (JacksonOracle.Step step : JacksonOracle.read(json)) {
            if (step.isName() && MARKER.matcher(step.text()).find()) {
                return null;
            }
            if (!step.isString()) {
                continue;
            }
            Matcher marker = MARKER.matcher(step.text());
            for (int at = 0; marker.find(at); ) {
                Matcher reference = REFERENCE
                        .matcher(step.text())
                        .region(marker.start(), step.text().length());
                if (!reference.lookingAt()) {
                    return null;
                }
                found.add(step.pointer() + " " + canonical(reference));
                at = reference.end();
            }
        }
        boolean tooMany = new HashSet<>(found.stream()
                                .map(line -> line.substring(line.lastIndexOf(' ')))
                                .toList())
                        .size()
                > 16;
        boolean notAnObject = !json.trim().startsWith("{") && !found.isEmpty();
        return tooMany || notAnObject ? null : found;
    }

    /** The text with each reference replaced, by its canonical form. */
    static String replaceAll(String text, java.util.function.UnaryOperator<String> valueOf) {
        return REFERENCE
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(valueOf.apply(canonical((Matcher) match))));
    }

    private static String canonical(Matcher reference) {
        String filters = reference.group("filters");
        if (reference.group("vault") != null) {
            String field = reference.group("vaultField");
            boolean shown = field != null && !field.equals("password");
            return "{{vault:" + reference.group("name") + (shown ? "#" + field : "") + filters + "}}";
        }
        String field = reference.group("secretField");
        return "{{secret:" + reference.group("id").toLowerCase(Locale.ROOT) + "." + (field == null ? "password" : field)
                + filters + "}}";
    }
}
