package dev.postern.app.cli;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the gateway's documents for people. */
final class Documents {
    private Documents() {}

    /** A member as text; empty where it is absent or null. */
    static String text(JsonValue document, String name) {
        JsonValue member = document.member(name);
        if (member == null || member.is(Kind.NULL)) {
            return "";
        }
        return member.is(Kind.STRING) ? member.string() : member.spelling();
    }

    static String joined(JsonValue document, String name) {
        JsonValue array = document.member(name);
        return array == null
                ? ""
                : array.elements().stream().map(JsonValue::string).collect(Collectors.joining(", "));
    }

    static List<JsonValue> elements(JsonValue document, String name) {
        JsonValue array = document.member(name);
        return array == null ? List.of() : array.elements();
    }

    /** The named members alone, for documents whose form is fixed. */
    static Map<String, Object> only(JsonValue document, String... names) {
        Map<String, Object> chosen = new LinkedHashMap<>();
        for (String name : names) {
            JsonValue member = document.member(name);
            if (member != null) {
                chosen.put(name, member);
            }
        }
        return chosen;
    }

    /** How long until {@code instant}, such as {@code 4m 12s}. */
    static String left(String instant) {
        if (instant.isEmpty()) {
            return "";
        }
        long seconds = Math.max(
                0, Duration.between(Instant.now(), Instant.parse(instant)).toSeconds());
        return seconds < 60 ? seconds + "s" : seconds / 60 + "m " + seconds % 60 + "s";
    }
}
