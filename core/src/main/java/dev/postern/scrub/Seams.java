package dev.postern.scrub;

import java.util.ArrayList;
import java.util.List;

/**
 * The seams between adjacent text blocks of a message, where a value may have been cut (S4): blocks are adjacent where one
 * element of an array with a string member {@code text} follows another.
 */
final class Seams {
    /** Part of the content of one string, in bytes of the message. */
    record Piece(int start, int end) {}

    /** Takes pieces that continue one another. */
    interface Continued {
        /**
         * Takes them.
         *
         * @param head whether the first piece starts where the first of all adjacent blocks does
         * @param tail whether the last piece ends where the last of them does
         */
        void look(List<Piece> pieces, boolean head, boolean tail);
    }

    /** A seam may cut an escape in two, of which then neither part counts as one character. */
    private static final int LONGEST_CUT = 2 * EscapeWatch.LONGEST;

    private final byte[] json;
    private final int[] texts;
    private final int count;
    private final EscapeWatch escapes;
    private final int width;

    /**
     * Seams.
     *
     * @param texts starts and ends of the contents of all members of that name, in order
     * @param count how many numbers that are
     * @param width how many characters on either side of a seam a value can reach
     */
    Seams(byte[] json, int[] texts, int count, int width, EscapeWatch escapes) {
        this.json = json;
        this.texts = texts;
        this.count = count;
        this.width = width;
        this.escapes = escapes;
    }

    /** Gives what is to be looked through as one text: the ends of blocks at a seam, and whole blocks between close ones. */
    void forEach(Continued continued) {
        List<Piece> pieces = new ArrayList<>();
        int first = 0;
        int i = 2;
        for (; i < count; i += 2) {
            if (!areAdjacent(texts[i - 1] + 1, texts[i] - 1)) {
                give(pieces, texts[first], texts[i - 1], continued);
                first = i;
                continue;
            }
            int from = texts[i - 2];
            int to = texts[i - 1];
            int beforeCut = Math.max(from, to - LONGEST_CUT);
            int tail = JsonText.boundary(
                    json, from, Windows.runStart(json, from, Windows.back(json, from, beforeCut, width, escapes)));
            if (!pieces.isEmpty()) {
                Piece last = pieces.get(pieces.size() - 1);
                if (last.end >= tail) {
                    // The head of this block is there already: the block is so short that its seams are looked at as
                    // one.
                    pieces.set(pieces.size() - 1, new Piece(last.start, to));
                    tail = to;
                } else {
                    give(pieces, texts[first], to, continued);
                }
            }
            if (tail < to || pieces.isEmpty()) {
                pieces.add(new Piece(tail, to));
            }
            int next = texts[i];
            int nextEnd = texts[i + 1];
            int behindCut = Math.min(nextEnd, next + LONGEST_CUT);
            int head = Windows.runEnd(json, Windows.ahead(json, behindCut, nextEnd, width, escapes), nextEnd);
            pieces.add(new Piece(next, JsonText.boundaryAfter(json, next, nextEnd, head)));
        }
        give(pieces, texts[first], texts[i - 1], continued);
    }

    private static void give(List<Piece> pieces, int start, int end, Continued continued) {
        if (pieces.size() > 1) {
            Piece last = pieces.get(pieces.size() - 1);
            continued.look(List.copyOf(pieces), pieces.get(0).start == start, last.end == end);
        }
        pieces.clear();
    }

    /** Whether nothing but the end of one element of an array and the start of the next lies between two strings. */
    private boolean areAdjacent(int from, int to) {
        int level = 0;
        boolean crossed = false;
        for (int at = from; at < to; at++) {
            switch (json[at]) {
                case '"' -> {
                    if (level < 0) {
                        return false;
                    }
                    at = stringEnd(at);
                }
                case '{', '[' -> {
                    if (level < 0 && (crossed || json[at] == '[')) {
                        return false;
                    }
                    crossed |= level < 0;
                    level++;
                }
                case '}', ']' -> {
                    if (--level < -1 || (level < 0 && (crossed || json[at] == ']'))) {
                        return false;
                    }
                }
                case ',', ' ', '\n', '\r', '\t' -> {}
                default -> {
                    if (level < 0) {
                        return false;
                    }
                }
            }
        }
        return crossed && level == 0;
    }

    private int stringEnd(int quote) {
        int at = quote + 1;
        while (json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        return at;
    }
}
