package dev.postern.detect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a text apart into regions to scan. A text that is JSON is read string by string, decoded; so is a fenced block
 * that is JSON, and a line that is. All else is scanned as it stands. A string may hold JSON again, to four levels.
 */
final class TextReader {
    private static final int MAX_LEVELS = 4;

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
                    int end = stringEnd(text, at + 1);
                    Part string = part(buffer, at + 1, end);
                    if (frame.expectsName()) {
                        frame.name = string;
                        scan.text(string.buffer, string.start, string.end, false);
                    } else {
                        readString(string, frame.name, level);
                    }
                    at = end;
                }
                default -> {}
            }
        }
    }

    private void readString(Part string, @org.jspecify.annotations.Nullable Part name, int level) {
        if (string.start == string.end) {
            return;
        }
        if (name != null) {
            scan.member(name.buffer, name.start, name.end, string.buffer, string.start, string.end);
        }
        read(string.buffer, string.start, string.end, level + 1);
    }

    private Part part(Buffer buffer, int start, int end) {
        byte[] text = buffer.bytes();
        for (int at = start; at < end; at++) {
            if (text[at] == '\\') {
                Buffer content = Buffer.decode(buffer, start, end);
                decoded.add(content);
                return new Part(content, 0, content.length());
            }
        }
        return new Part(buffer, start, end);
    }

    private static int stringEnd(byte[] text, int start) {
        int at = start;
        while (text[at] != '"') {
            at += text[at] == '\\' ? 2 : 1;
        }
        return at;
    }

    /** The decoded content of a string token. */
    private record Part(Buffer buffer, int start, int end) {}

    /** The object or array being read. */
    private static final class Frame {
        private final boolean object;
        private @org.jspecify.annotations.Nullable Part name;

        Frame(boolean object, @org.jspecify.annotations.Nullable Part name) {
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
