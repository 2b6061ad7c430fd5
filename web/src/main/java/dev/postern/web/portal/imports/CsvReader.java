package dev.postern.web.portal.imports;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Comma-separated values (RFC 4180), as bytes, record by record. */
final class CsvReader {
    private static final int MAX_FIELDS = 200;

    private final byte[] text;
    private int at;
    private int line = 1;
    private int recordLine = 1;

    CsvReader(byte[] text, int start) {
        this.text = text;
        this.at = start;
    }

    /** The line on which the last record started, from 1. */
    int line() {
        return recordLine;
    }

    /**
     * The fields of the next record, which the caller wipes; null at the end. Empty lines are passed over.
     *
     * @throws ImportException if a quote is not closed, or there are too many fields
     */
    @Nullable
    List<byte[]> next() {
        while (at < text.length && (text[at] == '\n' || text[at] == '\r')) {
            newline();
        }
        if (at >= text.length) {
            return null;
        }
        recordLine = line;
        List<byte[]> fields = new ArrayList<>();
        while (true) {
            if (fields.size() == MAX_FIELDS) {
                fields.forEach(field -> Arrays.fill(field, (byte) 0));
                throw new ImportException(
                        "Line " + recordLine + " has more than " + MAX_FIELDS + " columns; no password manager's has.");
            }
            fields.add(at < text.length && text[at] == '"' ? quoted() : plain());
            if (at >= text.length) {
                return fields;
            }
            if (text[at] == ',') {
                at++;
                continue;
            }
            newline();
            return fields;
        }
    }

    private byte[] plain() {
        int start = at;
        while (at < text.length && text[at] != ',' && text[at] != '\n' && text[at] != '\r') {
            at++;
        }
        return Arrays.copyOfRange(text, start, at);
    }

    private byte[] quoted() {
        at++;
        int end = at;
        int length = 0;
        while (end < text.length && (text[end] != '"' || (end + 1 < text.length && text[end + 1] == '"'))) {
            end += text[end] == '"' ? 2 : 1;
            length++;
        }
        if (end >= text.length) {
            throw new ImportException("The quote that opens on line " + line + " is never closed.");
        }
        byte[] field = new byte[length];
        for (int i = 0; i < length; i++) {
            byte b = text[at];
            field[i] = b;
            line += b == '\n' ? 1 : 0;
            at += b == '"' ? 2 : 1;
        }
        at = end + 1;
        while (at < text.length && text[at] != ',' && text[at] != '\n' && text[at] != '\r') {
            at++; // nothing belongs here; what stands here is no part of the value
        }
        return field;
    }

    private void newline() {
        if (text[at] == '\r' && at + 1 < text.length && text[at + 1] == '\n') {
            at++;
        }
        at++;
        line++;
    }
}
