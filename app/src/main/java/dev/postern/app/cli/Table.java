package dev.postern.app.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Aligned columns for people. Text from outside is shown with its control characters made visible. */
final class Table {
    /** Joiners, fillers and the empty braille cell: letters and marks without a look. */
    private static final String BLANKS = "\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0";

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

    /** No text drives the terminal, and none hides in it: characters that act, or that nobody sees, are spelt out. */
    static String visible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isUnseen(c)) {
                visible.append(String.format("\\u%04x", c));
            } else {
                visible.appendCodePoint(c);
            }
        });
        return visible.toString();
    }

    /** Controls, formatting (bidirectional, zero-width, tags), spaces of another width, variation selectors, blank letters. */
    private static boolean isUnseen(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            case Character.SPACE_SEPARATOR -> c != ' ';
            default ->
                (c >= 0xFE00 && c <= 0xFE0F)
                        || (c >= 0xE0100 && c <= 0xE01EF)
                        || (c >= 0x180B && c <= 0x180F)
                        || BLANKS.indexOf(c) >= 0;
        };
    }
}
