package dev.postern.app;

import dev.postern.json.JsonValue;

/** Reads what a test knows to be there. */
public final class Json {
    private Json() {}

    /** The value found by following member names. */
    public static JsonValue at(JsonValue value, String... names) {
        JsonValue found = value.path(names);
        if (found == null) {
            throw new AssertionError("no " + String.join("/", names) + " in " + value.spelling());
        }
        return found;
    }
}
