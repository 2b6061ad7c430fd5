package dev.postern.store.ledger;

import dev.postern.json.JsonException;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.store.crypto.SigningKey;
import dev.postern.store.sql.Row;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where the chains stood at a time, signed: whoever keeps one can later tell that nothing before it was changed or cut off.
 *
 * <p>The signature is over the UTF-8 bytes of {@link #json()} without its last member: up to {@code key} and the closing brace.
 *
 * @param number from 1
 * @param at ISO 8601, UTC, milliseconds
 * @param entries how many entries there were, and {@code hash} the last one's; so for the other chains
 * @param key the id of the key that signed
 * @param signature Ed25519, base64
 */
public record Checkpoint(
        long number,
        String at,
        long entries,
        String hash,
        long intents,
        String intentHash,
        long traces,
        String traceHash,
        String key,
        String signature) {
    static final String COLUMNS = "number, at, entries, hash, intents, intent_hash, traces, trace_hash, key, signature";

    static Checkpoint sign(long number, String at, Head entries, Head intents, Head traces, SigningKey key) {
        Checkpoint unsigned = new Checkpoint(
                number,
                at,
                entries.position(),
                entries.hash(),
                intents.position(),
                intents.hash(),
                traces.position(),
                traces.hash(),
                key.id(),
                "");
        return unsigned.signed(Base64.getEncoder().encodeToString(key.sign(unsigned.statement())));
    }

    private Checkpoint signed(String by) {
        return new Checkpoint(number, at, entries, hash, intents, intentHash, traces, traceHash, key, by);
    }

    static Checkpoint read(Row row) throws SQLException {
        return new Checkpoint(
                row.number("number"),
                row.text("at"),
                row.number("entries"),
                row.text("hash"),
                row.number("intents"),
                row.text("intent_hash"),
                row.number("traces"),
                row.text("trace_hash"),
                row.text("key"),
                row.text("signature"));
    }

    /**
     * A checkpoint that somebody kept.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Checkpoint parse(byte[] json) {
        try {
            JsonValue line = JsonValue.parse(json);
            return new Checkpoint(
                    number(line, "checkpoint"),
                    text(line, "at"),
                    number(line, "entries"),
                    text(line, "hash"),
                    number(line, "intents"),
                    text(line, "intent_hash"),
                    number(line, "traces"),
                    text(line, "trace_hash"),
                    text(line, "key"),
                    text(line, "signature"));
        } catch (JsonException | NumberFormatException e) {
            throw new IllegalArgumentException("no checkpoint", e);
        }
    }

    private static String text(JsonValue line, String name) {
        String text = line.string(name);
        if (text == null) {
            throw new IllegalArgumentException("no checkpoint: " + name + " is missing");
        }
        return text;
    }

    private static long number(JsonValue line, String name) {
        JsonValue value = line.member(name);
        if (value == null || !value.is(Kind.NUMBER)) {
            throw new IllegalArgumentException("no checkpoint: " + name + " is missing");
        }
        return Long.parseLong(value.spelling());
    }

    /** One line of JSON, without a newline. */
    public byte[] json() {
        byte[] statement = statement();
        byte[] tail = (",\"signature\":" + JsonStrings.quote(signature) + "}").getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[statement.length - 1 + tail.length];
        System.arraycopy(statement, 0, line, 0, statement.length - 1);
        System.arraycopy(tail, 0, line, statement.length - 1, tail.length);
        return line;
    }

    boolean isSignedBy(byte @Nullable [] publicKey) {
        try {
            return publicKey != null
                    && SigningKey.id(publicKey).equals(key)
                    && SigningKey.verifies(
                            publicKey, statement(), Base64.getDecoder().decode(signature));
        } catch (IllegalArgumentException e) {
            return false; // no base64
        }
    }

    /** Where a chain stood. */
    Head head(LineFormat chain) {
        if (chain == LineFormat.ENTRY) {
            return new Head(entries, hash);
        }
        return chain == LineFormat.INTENT ? new Head(intents, intentHash) : new Head(traces, traceHash);
    }

    private byte[] statement() {
        return ("{\"checkpoint\":" + number + ",\"at\":" + JsonStrings.quote(at) + ",\"entries\":" + entries
                        + ",\"hash\":"
                        + JsonStrings.quote(hash) + ",\"intents\":" + intents + ",\"intent_hash\":"
                        + JsonStrings.quote(intentHash) + ",\"traces\":" + traces + ",\"trace_hash\":"
                        + JsonStrings.quote(traceHash) + ",\"key\":" + JsonStrings.quote(key) + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
