package dev.postern.scrub;

import org.jspecify.annotations.Nullable;

/**
 * One pass over a message that accepts it as JSON (RFC 8259, UTF-8, to 512 levels) or refuses it, and tells a
 * {@link Suspicion} what asks for a closer look: escapes that could hide a value, long runs of base64, scalars, texts that
 * continue one another. Asked to, it also lists the tokens.
 *
 * <p>The position lives in a local variable, strings are passed over by the {@link Marks} of a block, and the end of the array is
 * met by its own bounds check: measured, that is three times as fast as one method a rule over a field.
 */
final class JsonPass {
    private static final int MAX_DEPTH = 512;

    private final byte[] json;
    private final Suspicion suspicion;
    private final @Nullable TokenList tokens;
    /** What a string cannot simply pass over. */
    private final Marks marks;

    /** One bit a level: set where it is an object. */
    private final long[] objects = new long[MAX_DEPTH / Long.SIZE];

    JsonPass(byte[] json, Suspicion suspicion, @Nullable TokenList tokens) {
        this.json = json;
        this.marks = new Marks(json, json.length, json.length, Words::marked);
        this.suspicion = suspicion;
        this.tokens = tokens;
    }

    /** @throws ScrubFailedException if the message is not one JSON value, or too deep (S10) */
    void run() {
        try {
            if (space(document()) != json.length) {
                throw invalid();
            }
        } catch (ArrayIndexOutOfBoundsException endsTooSoon) {
            throw invalid();
        }
    }

    private int document() {
        byte[] json = this.json;
        int depth = 0;
        boolean object = false;
        int at = space(0);
        while (true) {
            byte b = json[at];
            if (b == '"') {
                int start = at;
                at = string(start + 1);
                suspicion.string(start + 1, at - 1);
                if (tokens != null) {
                    tokens.add(TokenList.STRING, start, at);
                }
            } else if (b == '{' || b == '[') {
                if (depth == MAX_DEPTH) {
                    throw invalid();
                }
                long bit = 1L << depth;
                objects[depth >>> 6] = object ? objects[depth >>> 6] | bit : objects[depth >>> 6] & ~bit;
                depth++;
                object = b == '{';
                if (tokens != null) {
                    tokens.add(object ? TokenList.OBJECT : TokenList.ARRAY, at, at + 1);
                }
                at++;
                if (json[at] <= ' ') {
                    at = space(at);
                }
                if (json[at] != b + 2) {
                    if (object) {
                        at = name(at);
                    }
                    continue;
                }
            } else {
                at = scalar(at, b);
            }
            // A value has ended; close what it completes.
            while (true) {
                if (depth == 0) {
                    return at;
                }
                b = json[at];
                if (b <= ' ') {
                    at = space(at);
                    b = json[at];
                }
                at++;
                if (b == ',') {
                    if (json[at] <= ' ') {
                        at = space(at);
                    }
                    if (object) {
                        at = name(at);
                    }
                    break;
                }
                if (b != (object ? '}' : ']')) {
                    throw invalid();
                }
                if (tokens != null) {
                    tokens.add(object ? TokenList.OBJECT_END : TokenList.ARRAY_END, at - 1, at);
                }
                depth--;
                object = (objects[depth >>> 6] >>> depth & 1) != 0;
            }
        }
    }

    private int name(int start) {
        byte[] json = this.json;
        if (json[start] != '"') {
            throw invalid();
        }
        int at = string(start + 1);
        suspicion.name(start + 1, at - 1);
        if (tokens != null) {
            tokens.add(TokenList.NAME, start, at);
        }
        if (json[at] != ':') {
            at = space(at);
            if (json[at] != ':') {
                throw invalid();
            }
        }
        at++;
        return json[at] <= ' ' ? space(at) : at;
    }

    /** From just past the opening quote to just past the closing one. */
    private int string(int start) {
        byte[] json = this.json;
        int at = start;
        while (true) {
            if (at >= marks.end()) {
                marks.look(at);
            }
            long marked = marks.from(at);
            if (marked == 0) {
                at += Marks.KNOWN;
                continue;
            }
            int next = Long.numberOfTrailingZeros(marked);
            at += next;
            byte b = json[at];
            if (b == '"') {
                return at + 1;
            }
            at = b == '\\' && json[at + 1] == '"' ? quotes(at, marked >>> next) : special(at, b);
        }
    }

    /**
     * From an escaped quote past all that follow it, as far as the marks tell: JSON within a string is full of them.
     *
     * @param marked the marks from {@code start} on
     */
    private int quotes(int start, long marked) {
        byte[] json = this.json;
        int at = start;
        long rest = marked;
        do {
            at += 2;
            rest >>>= 2;
            if (rest == 0) {
                return at;
            }
            int next = Long.numberOfTrailingZeros(rest);
            at += next;
            rest >>>= next;
        } while (json[at] == '\\' && json[at + 1] == '"');
        return at;
    }

    private int special(int at, byte b) {
        if (b == '\\') {
            return escape(at);
        }
        if (b < 0) {
            return character(at);
        }
        if (b < 0x20) {
            throw invalid();
        }
        if (b == '%' || b == '&') {
            suspicion.marker(at);
        }
        return at + 1;
    }

    private int escape(int at) {
        byte kind = json[at + 1];
        switch (kind) {
            case '"', 'n', 't', 'r', 'b', 'f' -> {
                return at + 2;
            }
            case '/' -> {
                suspicion.marker(at);
                return at + 2;
            }
            case '\\' -> {
                // Of a run of backslashes only the last pair is followed by what it could escape.
                if (json[at + 2] != '\\') {
                    suspicion.marker(at + 1);
                }
                return at + 2;
            }
            case 'u' -> {
                for (int i = at + 2; i < at + 6; i++) {
                    if (Character.digit(json[i], 16) < 0) {
                        throw invalid();
                    }
                }
                suspicion.marker(at);
                return at + 6;
            }
            default -> throw invalid();
        }
    }

    /** One multi-byte UTF-8 character (RFC 3629): shortest form, no surrogates, at most U+10FFFF. */
    private int character(int at) {
        byte[] json = this.json;
        int lead = json[at] & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4) {
            throw invalid();
        }
        int second = json[at + 1] & 0xFF;
        int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) {
            throw invalid();
        }
        for (int i = at + 2; i < at + length; i++) {
            if ((json[i] & 0xC0) != 0x80) {
                throw invalid();
            }
        }
        return at + length;
    }

    private int scalar(int start, byte first) {
        int end = switch (first) {
            case 't' -> word(start, "true");
            case 'f' -> word(start, "false");
            case 'n' -> word(start, "null");
            default -> number(start);
        };
        suspicion.scalar(start, end);
        if (tokens != null) {
            tokens.add(TokenList.SCALAR, start, end);
        }
        return end;
    }

    private int word(int start, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (json[start + i] != word.charAt(i)) {
                throw invalid();
            }
        }
        return start + word.length();
    }

    private int number(int start) {
        byte[] json = this.json;
        int at = json[start] == '-' ? start + 1 : start;
        at = json[at] == '0' ? at + 1 : digits(at);
        if (at < json.length && json[at] == '.') {
            at = digits(at + 1);
        }
        if (at < json.length && (json[at] | 0x20) == 'e') {
            byte sign = json[at + 1];
            at = digits(sign == '+' || sign == '-' ? at + 2 : at + 1);
        }
        return at;
    }

    private int digits(int start) {
        byte[] json = this.json;
        int at = start;
        while (at < json.length && json[at] >= '0' && json[at] <= '9') {
            at++;
        }
        if (at == start) {
            throw invalid();
        }
        return at;
    }

    private int space(int start) {
        byte[] json = this.json;
        int at = start;
        while (at < json.length && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at++;
        }
        return at;
    }

    private static ScrubFailedException invalid() {
        return new ScrubFailedException("the message is not valid JSON within the depth allowed");
    }
}
