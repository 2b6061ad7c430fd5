package dev.postern.store.sql;

import static java.util.stream.Collectors.joining;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Lists of strings in one column: a JSON array. */
final class JsonLists {
    private JsonLists() {}

    static String write(Collection<String> strings) {
        return strings.stream().map(JsonStrings::quote).collect(joining(",", "[", "]"));
    }

    static List<String> read(String array) {
        return JsonValue.parse(array.getBytes(StandardCharsets.UTF_8)).elements().stream()
                .map(JsonValue::string)
                .toList();
    }
}
