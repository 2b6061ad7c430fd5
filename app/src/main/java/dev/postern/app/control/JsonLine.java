package dev.postern.app.control;

import dev.postern.json.JsonWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One document as one line. */
public final class JsonLine {
    private JsonLine() {}

    /** With its line end. A line break in what an agent wrote can only be white space between tokens: it becomes a space. */
    public static byte[] of(@Nullable Object document) {
        byte[] json = JsonWriter.write(document);
        byte[] line = Arrays.copyOf(json, json.length + 1);
        for (int at = 0; at < json.length; at++) {
            if (line[at] == '\n' || line[at] == '\r') {
                line[at] = ' ';
            }
        }
        line[json.length] = '\n';
        return line;
    }
}
