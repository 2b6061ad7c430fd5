package dev.postern.app.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Aligned columns for people. Text from outside is shown with its control characters made visible. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... headings) {
        rows.add(List.of(headings));
    }

    void row(String... cells) {
        List<String> row = new ArrayList<>();
        for (String cell : cells) {
            row.add(visible(cell));
        }
        rows.add(row);
    }

    void print(PrintWriter out) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i));
                if (i < columns - 1) {
                    line.append(" ".repeat(widths[i] - row.get(i).length() + 2));
                }
            }
            out.println(line.toString().stripTrailing());
        }
        out.flush();
    }

    /** No text drives the terminal: control and formatting characters (bidirectional ones too) are spelt out. */
    static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            if (c < 0x20
                    || c == 0x7F
                    || type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR) {
                visible.append(String.format("\\u%04x", c));
            } else {
                visible.appendCodePoint(c);
            }
        });
        return visible.toString();
    }
}
