package dev.postern.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Documents of our own as JSON: maps, collections, strings, numbers, booleans and null; {@link Instant}s, {@link UUID}s
 * and enum constants as strings; a {@link JsonValue} as the very bytes it stands for. Compact, members in the map's
 * order. For text that holds no secret: a {@code String} cannot be wiped.
 */
public final class JsonWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    private JsonWriter() {}

    /**
     * Writes one value.
     *
     * @throws IllegalArgumentException if a part of it is of no kind named above
     */
    public static byte[] write(@Nullable Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return writer.out.toByteArray();
    }

    private void value(@Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            ascii(String.valueOf(value));
        } else if (value instanceof JsonValue json) {
            out.write(json.text(), json.start(), json.end() - json.start());
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Collection<?> collection) {
            array(collection);
        } else if (value instanceof Number number) {
            number(number);
        } else if (value instanceof CharSequence || value instanceof Instant || value instanceof UUID) {
            string(value.toString());
        } else if (value instanceof Enum<?> constant) {
            string(constant.name());
        } else {
            throw new IllegalArgumentException(
                    "no JSON for a " + value.getClass().getName());
        }
    }

    private void object(Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> member : map.entrySet()) {
            ascii(separator);
            string(String.valueOf(member.getKey()));
            ascii(":");
            value(member.getValue());
            separator = ",";
        }
        ascii(map.isEmpty() ? "{}" : "}");
    }

    private void array(Collection<?> collection) {
        String separator = "[";
        for (Object element : collection) {
            ascii(separator);
            value(element);
            separator = ",";
        }
        ascii(collection.isEmpty() ? "[]" : "]");
    }

    private void number(Number number) {
        if (number instanceof Double || number instanceof Float) {
            double value = number.doubleValue();
            if (Double.isNaN(value) || Double.isInfinite(value)) {
                throw new IllegalArgumentException("no JSON for a number that is not finite");
            }
        }
        ascii(number.toString());
    }

    private void string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.write('"');
        out.writeBytes(JsonStrings.escape(utf8));
        out.write('"');
    }

    private void ascii(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
