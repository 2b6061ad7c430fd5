package dev.postern.store.ledger;

import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the ledger, for people (L1). {@link #json()} is the line that proves itself; the other components are what
 * it says.
 *
 * @param position its place in the chain, from 1
 * @param at ISO 8601, UTC, milliseconds
 * @param tool without its server
 * @param arguments JSON
 * @param code null where the call was executed
 * @param approver null where nobody was asked
 * @param error null where there was none
 * @param json the line as it is exported, without a newline; shared, not copied: read only
 */
public record LedgerLine(
        long position,
        String id,
        String at,
        String agent,
        String server,
        String tool,
        String arguments,
        List<String> secretRefs,
        String disposition,
        @Nullable String code,
        @Nullable String approver,
        long durationMillis,
        long resultBytes,
        long scrubHits,
        @Nullable String error,
        String hash,
        byte[] json) {

    static LedgerLine of(ChainRow row) {
        List<@Nullable Object> values = row.values();
        return new LedgerLine(
                row.position(),
                row.id(),
                text(values.get(1)),
                text(values.get(2)),
                text(values.get(3)),
                text(values.get(4)),
                text(values.get(5)),
                strings(text(values.get(6))),
                text(values.get(7)),
                textOrNull(values.get(8)),
                textOrNull(values.get(9)),
                number(values.get(10)),
                number(values.get(11)),
                number(values.get(12)),
                textOrNull(values.get(13)),
                row.hash(),
                row.line());
    }

    private static String text(@Nullable Object value) {
        return String.valueOf(value);
    }

    private static @Nullable String textOrNull(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    private static List<String> strings(String array) {
        try {
            return JsonValue.parse(array.getBytes(StandardCharsets.UTF_8)).elements().stream()
                    .map(JsonValue::spelling)
                    .map(spelling ->
                            spelling.startsWith("\"") ? spelling.substring(1, spelling.length() - 1) : spelling)
                    .toList();
        } catch (JsonException e) {
            return List.of(); // Changed by somebody; verification says so.
        }
    }

    @Override
    public String toString() {
        return "LedgerLine[" + position + " " + id + "]";
    }
}
