package dev.postern.scrub;

/**
 * The escapes of a text, read one at a time from their marker on: backslash, percent and HTML. What {@link EscapeReader} reads
 * in every way there is, this reads in the likeliest, which is enough to tell whether a closer look is due.
 */
final class Escapes {
    /** No escape is read there. */
    static final long NOTHING = -1;
    /** Something is there that only a closer look can read. */
    static final long MAYBE = -2;

    private Escapes() {}

    static boolean isMarker(int character) {
        return character == '\\' || character == '%' || character == '&';
    }

    /** The character that an escape after {@code marker} stands for: see {@link #character} and {@link #end}. */
    static long after(int marker, byte[] text, int at, int to) {
        return switch (marker) {
            case '\\' -> backslash(text, at, to);
            case '%' -> percent(text, at, to);
            default -> entity(text, at, to);
        };
    }

    /** What the escape whose marker stands at {@code at} stands for, where that is a marker again, what follows stands for. */
    static long resolve(byte[] text, int at, int to) {
        long read = after(text[at], text, at + 1, to);
        while (read >= 0 && isMarker(character(read))) {
            long next = after(character(read), text, end(read), to);
            if (next < 0) {
                return next == MAYBE ? MAYBE : read;
            }
            read = next;
        }
        return read;
    }

    static int character(long read) {
        return (int) read;
    }

    static int end(long read) {
        return (int) (read >>> 32);
    }

    private static long read(int character, int end) {
        return character < 0 ? NOTHING : (long) end << 32 | character;
    }

    private static long backslash(byte[] text, int at, int to) {
        if (at >= to) {
            return NOTHING;
        }
        byte kind = text[at];
        return switch (kind) {
            case 'u' -> at + 1 < to && text[at + 1] == '{' ? MAYBE : read(hex(text, at + 1, 4, to), at + 5);
            case 'x' -> at + 1 < to && text[at + 1] == '{' ? MAYBE : read(hex(text, at + 1, 2, to), at + 3);
            case 'U' -> read(hex(text, at + 1, 8, to), at + 9);
            case 'e', 'E' -> at + 1 < to && text[at + 1] == '[' ? MAYBE : NOTHING;
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                int value = 0;
                int end = at;
                while (end < to && end < at + 3 && text[end] >= '0' && text[end] <= '7') {
                    value = value << 3 | text[end++] - '0';
                }
                yield read(value & 0xFF, end);
            }
            case 'b' -> read('\b', at + 1);
            case 'f' -> read('\f', at + 1);
            case 'n' -> read('\n', at + 1);
            case 'r' -> read('\r', at + 1);
            case 't' -> read('\t', at + 1);
            default -> kind < 0 ? read(0x80, at) : kind >= ' ' && kind < 0x7F ? read(kind, at + 1) : NOTHING;
        };
    }

    private static long percent(byte[] text, int at, int to) {
        if (at < to && text[at] == 'u') {
            return read(hex(text, at + 1, 4, to), at + 5);
        }
        return read(hex(text, at, 2, to), at + 2);
    }

    private static long entity(byte[] text, int at, int to) {
        int name = Entities.START;
        int number = 0;
        int radix = 0;
        for (int i = at; i < to && i < at + Entities.LONGEST; i++) {
            byte c = text[i];
            if (c == ';') {
                return read(radix > 0 ? number : Entities.character(name), i + 1);
            }
            if (c == '\\' || c == '%' || c == '&') {
                return i > at || isEscapedHash(text, i, to) ? MAYBE : NOTHING;
            }
            if (c == '#' && i == at) {
                radix = 10;
            } else if (radix == 10 && i == at + 1 && (c == 'x' || c == 'X')) {
                radix = 16;
            } else if (radix > 0) {
                int digit = Character.digit(c, radix);
                if (digit < 0 || number > Character.MAX_CODE_POINT) {
                    return NOTHING;
                }
                number = number * radix + digit;
            } else {
                name = Entities.next(name, c);
                if (name == Entities.NONE) {
                    return NOTHING;
                }
            }
        }
        return NOTHING;
    }

    /** Whether what stands here may be the {@code #} of a numeric reference, itself escaped. */
    private static boolean isEscapedHash(byte[] text, int start, int to) {
        int marker = text[start];
        int at = start + 1;
        while (true) {
            long read = marker == '\\' ? backslash(text, at, to) : marker == '%' ? percent(text, at, to) : NOTHING;
            if (read < 0) {
                return false;
            }
            marker = (int) read;
            at = (int) (read >>> 32);
            if (marker != '\\' && marker != '%') {
                return marker == '#';
            }
        }
    }

    private static int hex(byte[] text, int at, int digits, int to) {
        if (at + digits > to) {
            return -1;
        }
        int value = 0;
        for (int i = at; i < at + digits; i++) {
            int digit = Character.digit(text[i], 16);
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
