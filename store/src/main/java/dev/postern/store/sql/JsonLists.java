package dev.postern.store.sql;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Lists of strings in one column: a JSON array. */
final class JsonLists {
    private JsonLists() {}

    static String write(Collection<String> strings) {
        return new String(JsonWriter.write(strings), StandardCharsets.UTF_8);
    }

    static List<String> read(String array) {
        return JsonValue.parse(array.getBytes(StandardCharsets.UTF_8)).elements().stream()
                .map(JsonValue::string)
                .toList();
    }
}
