package dev.postern.detect;

import dev.postern.json.JsonStrings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a text apart into regions to scan. A text that is JSON is read string by string, decoded; so is a fenced block
 * that is JSON, and a line that is. All else is scanned as it stands. A string may hold JSON again, to four levels.
 */
final class TextReader {
    private static final int MAX_LEVELS = 4;
    /** Longer member names say nothing of their values; an array's name is read once for each element. */
    private static final int MAX_NAME = 128;

    private final Scan scan;
    private final List<Buffer> decoded = new ArrayList<>();

    TextReader(Scan scan) {
        this.scan = scan;
    }

    /** Scans a whole text. */
    void read(byte[] text) {
        Buffer buffer = Buffer.of(text);
        read(buffer, 0, buffer.length(), 0);
    }

    /** Scans a text that is known to be JSON. */
    void readJson(byte[] json) {
        Buffer buffer = Buffer.of(json);
        readStrings(buffer, 0, buffer.length(), 0);
    }

    /** Wipes what was decoded on the way. */
    void wipe() {
        decoded.forEach(Buffer::wipe);
    }

    private void read(Buffer buffer, int from, int to, int level) {
        if (level < MAX_LEVELS && buffer.isJson(from, to)) {
            readStrings(buffer, from, to, level);
        } else {
            readLines(buffer, from, to, level);
        }
    }

    /** Finds fenced blocks and lines that are JSON; everything between them is plain. */
    private void readLines(Buffer buffer, int from, int to, int level) {
        byte[] text = buffer.bytes();
        int plain = from;
        int at = from;
        int blockStart = -1;
        byte fence = 0;
        while (at < to && level < MAX_LEVELS) {
            int lineEnd = at;
            while (lineEnd < to && text[lineEnd] != '\n') {
                lineEnd++;
            }
            int next = Math.min(lineEnd + 1, to);
            byte mark = fenceAt(text, at, lineEnd);
            if (blockStart >= 0) {
                if (mark == fence) {
                    if (buffer.isJson(blockStart, at)) {
                        scanPlain(buffer, plain, blockStart, level);
                        readStrings(buffer, blockStart, at, level);
                        plain = at;
                    }
                    blockStart = -1;
                }
            } else if (mark != 0) {
                fence = mark;
                blockStart = next;
            } else if ((at > from || next < to) && buffer.isJson(at, lineEnd)) {
                scanPlain(buffer, plain, at, level);
                readStrings(buffer, at, lineEnd, level);
                plain = lineEnd;
            }
            at = next;
        }
        scanPlain(buffer, plain, to, level);
    }

    private void scanPlain(Buffer buffer, int from, int to, int level) {
        if (from < to) {
            scan.text(buffer, from, to, level == 0);
        }
    }

    /** The fence character that opens or closes a block on this line, or 0. */
    private static byte fenceAt(byte[] text, int start, int end) {
        int at = start;
        while (at < end && at - start < 16 && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
        boolean fence = at + 3 <= end
                && (text[at] == '`' || text[at] == '~')
                && text[at + 1] == text[at]
                && text[at + 2] == text[at];
        return fence ? text[at] : 0;
    }

    /** Walks the well-formed JSON {@code [from, to)} and scans each string, member names included. */
    private void readStrings(Buffer buffer, int from, int to, int level) {
        byte[] text = buffer.bytes();
        ArrayDeque<Frame> frames = new ArrayDeque<>();
        Frame frame = new Frame(false, null);
        for (int at = from; at < to; at++) {
            switch (text[at]) {
                case '{' -> {
                    frames.push(frame);
                    frame = new Frame(true, null);
                }
                case '[' -> {
                    frames.push(frame);
                    // What an array is called, its elements are called.
                    frame = new Frame(false, frame.name);
                }
                case '}', ']' -> frame = frames.pop();
                case ',' -> frame.next();
                case '"' -> {
                    int start = at + 1;
                    boolean plain = true;
                    for (at = JsonStrings.plainEnd(text, start, to);
                            text[at] != '"';
                            at = JsonStrings.plainEnd(text, at, to)) {
                        boolean escape = text[at] == '\\';
                        plain &= !escape;
                        at += escape ? 2 : 1;
                    }
                    if (frame.expectsName()) {
                        frame.name = name(plain ? new Part(buffer, start, at, false) : decode(buffer, start, at));
                    } else if (plain) {
                        readString(buffer, start, at, frame.name, level, false);
                    } else {
                        Part string = decode(buffer, start, at);
                        readString(string.buffer, string.start, string.end, frame.name, level, true);
                    }
                }
                default -> {}
            }
        }
    }

    /** Scans a member's name as a text, and keeps whether there is more to do once its value is known. */
    private Part name(Part name) {
        boolean keyword = scan.text(name.buffer, name.start, name.end, false) && name.end - name.start <= MAX_NAME;
        return new Part(name.buffer, name.start, name.end, keyword);
    }

    /** @param escaped whether it was decoded; what was not has no lines, since a line end must be escaped */
    private void readString(Buffer buffer, int start, int end, @Nullable Part name, int level, boolean escaped) {
        if (start == end) {
            return;
        }
        if (name != null && name.keyword) {
            scan.member(name.buffer, name.start, name.end, buffer, start, end);
        }
        if (mayHoldParts(buffer.bytes(), start, end, escaped)) {
            read(buffer, start, end, level + 1);
        } else {
            scan.text(buffer, start, end, false);
        }
    }

    /** Whether a string may be JSON itself, or have lines that are; most are neither. */
    private static boolean mayHoldParts(byte[] text, int start, int end, boolean escaped) {
        for (int at = start; at < end; at++) {
            if (!Ascii.isSpace(text[at])) {
                byte first = text[at];
                if (first == '{' || first == '[' || first == '"') {
                    return true;
                }
                break;
            }
        }
        for (int at = start; escaped && at < end; at++) {
            if (text[at] == '\n') {
                return true;
            }
        }
        return false;
    }

    private Part decode(Buffer buffer, int start, int end) {
        Buffer content = Buffer.decode(buffer, start, end);
        decoded.add(content);
        return new Part(content, 0, content.length(), false);
    }

    /**
     * The decoded content of a string token.
     *
     * @param keyword a keyword stands in it
     */
    private record Part(Buffer buffer, int start, int end, boolean keyword) {}

    /** The object or array being read. */
    private static final class Frame {
        private final boolean object;
        private @Nullable Part name;

        Frame(boolean object, @Nullable Part name) {
            this.object = object;
            this.name = name;
        }

        boolean expectsName() {
            return object && name == null;
        }

        void next() {
            if (object) {
                name = null;
            }
        }
    }
}
