package dev.postern.mcp.catalog;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a merged list goes on: at which server, and where in its own list. Opaque to clients; holds nothing that the
 * server's own cursor, scrubbed, does not.
 *
 * @param inner the server's cursor; null to start at its first page
 */
public record Cursor(String server, @Nullable String inner) {
    public String encode() {
        List<@Nullable String> parts = new ArrayList<>();
        parts.add(server);
        parts.add(inner);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(JsonWriter.write(parts));
    }

    /** Reads what {@link #encode()} wrote; empty if it did not. */
    public static Optional<Cursor> decode(String encoded) {
        try {
            List<JsonValue> parts =
                    JsonValue.parse(Base64.getUrlDecoder().decode(encoded)).elements();
            if (parts.size() == 2 && parts.getFirst().is(JsonValue.Kind.STRING)) {
                JsonValue inner = parts.getLast();
                return Optional.of(
                        new Cursor(parts.getFirst().string(), inner.is(JsonValue.Kind.STRING) ? inner.string() : null));
            }
        } catch (IllegalArgumentException | JsonException e) {
            // Not ours: below.
        }
        return Optional.empty();
    }
}
