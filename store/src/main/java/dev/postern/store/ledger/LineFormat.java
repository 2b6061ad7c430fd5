package dev.postern.store.ledger;

import static java.util.stream.Collectors.joining;

import dev.postern.json.JsonStrings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a chained table and how a row becomes a line:
 *
 * <pre>{"id":…,"at":…, … ,"prev_hash":"…","hash":"…"}</pre>
 *
 * The members are the columns in order. The hash is the SHA-256, in hex, over the UTF-8 bytes of the line without the
 * {@code hash} member, that is up to {@code prev_hash} and the closing brace; the first {@code prev_hash} is 64 zeros. So
 * whoever has the lines can check the chain with ten lines of script. The format of a line that was written never changes:
 * a later column is a member only of the lines that have it, {@code findings} of those of calls in which something was
 * detected.
 */
final class LineFormat {
    /** One line a finished call: what is exported. */
    static final LineFormat ENTRY = new LineFormat(
            "ledger",
            List.of(
                    new Column("id", Kind.TEXT),
                    new Column("at", Kind.TEXT),
                    new Column("agent", Kind.TEXT),
                    new Column("server", Kind.TEXT),
                    new Column("tool", Kind.TEXT),
                    new Column("arguments", Kind.JSON),
                    new Column("secret_refs", Kind.JSON),
                    new Column("disposition", Kind.TEXT),
                    new Column("code", Kind.TEXT),
                    new Column("approver", Kind.TEXT),
                    new Column("duration_ms", Kind.NUMBER),
                    new Column("result_bytes", Kind.NUMBER),
                    new Column("scrub_hits", Kind.NUMBER),
                    new Column("error", Kind.TEXT),
                    new Column("findings", Kind.JSON, true)));

    /** One line a call that was about to leave. */
    static final LineFormat INTENT = new LineFormat(
            "ledger_intent",
            List.of(
                    new Column("id", Kind.TEXT),
                    new Column("at", Kind.TEXT),
                    new Column("agent", Kind.TEXT),
                    new Column("server", Kind.TEXT),
                    new Column("tool", Kind.TEXT),
                    new Column("arguments", Kind.JSON),
                    new Column("secret_refs", Kind.JSON),
                    new Column("approver", Kind.TEXT),
                    new Column("decision", Kind.JSON, true)));

    /** One line a finished call that was governed: what it was decided on, and when each stage was done. */
    static final LineFormat TRACE = new LineFormat(
            "ledger_trace",
            List.of(
                    new Column("id", Kind.TEXT),
                    new Column("decision", Kind.JSON, true),
                    new Column("stages", Kind.JSON)));

    /** What comes before the first line. */
    static final String ORIGIN = "0".repeat(64);

    private enum Kind {
        TEXT,
        JSON,
        NUMBER
    }

    /** @param optional whether the line has no such member where the column is empty */
    private record Column(String name, Kind kind, boolean optional) {
        Column(String name, Kind kind) {
            this(name, kind, false);
        }
    }

    private final String table;
    private final List<Column> columns;

    private LineFormat(String table, List<Column> columns) {
        this.table = table;
        this.columns = columns;
    }

    /** The table, and the chain's name in {@code ledger_head}. */
    String table() {
        return table;
    }

    /** How many columns a row has between its position and its hashes. */
    int width() {
        return columns.size();
    }

    /** {@code position}, the columns, {@code prev_hash}, {@code hash}: what {@link ChainRow} reads. */
    String columnList(String qualifier) {
        return columns.stream()
                        .map(column -> qualifier + column.name())
                        .collect(joining(", ", qualifier + "position, ", ""))
                + ", " + qualifier + "prev_hash, " + qualifier + "hash";
    }

    /** Inserts a row of position, columns, hashes and, in the ledger, the position of the intent it closes. */
    String insert() {
        boolean closes = this == ENTRY;
        int parameters = columns.size() + (closes ? 4 : 3);
        return "INSERT INTO " + table + " (" + columnList("") + (closes ? ", intent" : "") + ") VALUES ("
                + String.join(", ", Collections.nCopies(parameters, "?")) + ")";
    }

    /**
     * The line without its hash. Values of another type than their column's, which only somebody who changed the database
     * can have put there, are rendered as strings; {@link #isTyped} tells.
     */
    byte[] unhashed(List<@Nullable Object> values, String previousHash) {
        StringBuilder line = new StringBuilder(512).append('{');
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            Object value = values.get(i);
            if (value == null && column.optional()) {
                continue;
            }
            line.append('"').append(column.name()).append("\":");
            if (value == null) {
                line.append("null");
            } else if (column.kind() == Kind.TEXT || !isTyped(column, value)) {
                line.append(JsonStrings.quote(value.toString()));
            } else {
                line.append(value);
            }
            line.append(',');
        }
        line.append("\"prev_hash\":").append(JsonStrings.quote(previousHash)).append('}');
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Whether every value is of its column's type, or null. */
    boolean isTyped(List<@Nullable Object> values) {
        for (int i = 0; i < columns.size(); i++) {
            Object value = values.get(i);
            if (value != null && !isTyped(columns.get(i), value)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTyped(Column column, Object value) {
        return column.kind() == Kind.NUMBER
                ? value instanceof Integer || value instanceof Long
                : value instanceof String;
    }

    @Override
    public String toString() {
        return table;
    }

    static String hash(byte[] unhashed) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(unhashed));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256");
        }
    }

    /** The line as it is exported, without a newline. */
    static byte[] hashed(byte[] unhashed, String hash) {
        byte[] tail = (",\"hash\":" + JsonStrings.quote(hash) + "}").getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[unhashed.length - 1 + tail.length];
        System.arraycopy(unhashed, 0, line, 0, unhashed.length - 1);
        System.arraycopy(tail, 0, line, unhashed.length - 1, tail.length);
        return line;
    }
}
