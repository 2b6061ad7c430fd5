package dev.postern.detect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one scan found, while the text is still at hand. Closing wipes what was decoded. */
final class Detection implements AutoCloseable {
    private final byte[] text;
    private final TextReader reader;
    private final List<Hit> hits;

    private Detection(byte[] text, TextReader reader, List<Hit> hits) {
        this.text = text;
        this.reader = reader;
        this.hits = hits;
    }

    static Detection ofText(DetectionRules rules, byte[] text, @Nullable String path) {
        Scan scan = new Scan(rules.engine(), rules.allowed(), path);
        TextReader reader = new TextReader(scan);
        reader.read(text);
        return new Detection(text, reader, scan.result());
    }

    static Detection ofJson(DetectionRules rules, byte[] json, @Nullable String path) {
        Scan scan = new Scan(rules.engine(), rules.allowed(), path);
        TextReader reader = new TextReader(scan);
        reader.readJson(json);
        return new Detection(json, reader, scan.result());
    }

    List<Hit> hits() {
        return hits;
    }

    /** One finding a hit, in order. Counts characters and lines in one pass over the text. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(hits.size());
        Position position = new Position(text);
        for (Hit hit : hits) {
            position.advance(hit.originalStart());
            int start = position.characters();
            int line = position.line();
            int column = position.column();
            position.advance(hit.originalEnd());
            findings.add(new Finding(
                    hit.rule.name(),
                    hit.rule.category(),
                    hit.rule.classification(),
                    start,
                    position.characters(),
                    line,
                    column));
        }
        return List.copyOf(findings);
    }

    @Override
    public void close() {
        reader.wipe();
    }

    /** Walks UTF-8 and counts {@code char}s and lines. */
    private static final class Position {
        private final byte[] text;
        private int at;
        private int characters;
        private int line = 1;
        private int lineStart;

        Position(byte[] text) {
            this.text = text;
        }

        void advance(int offset) {
            for (; at < offset; at++) {
                int b = text[at] & 0xFF;
                if (b < 0x80 || b >= 0xC0) {
                    characters += b >= 0xF0 ? 2 : 1;
                }
                if (b == '\n') {
                    line++;
                    lineStart = characters;
                }
            }
        }

        int characters() {
            return characters;
        }

        int line() {
            return line;
        }

        int column() {
            return characters - lineStart + 1;
        }
    }
}
