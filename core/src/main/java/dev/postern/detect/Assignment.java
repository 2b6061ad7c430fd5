package dev.postern.detect;

/**
 * Reads {@code name = value} around a keyword, in the spellings of configuration files, source code, command lines and
 * JSON quoted inside other text. Finds the name the keyword is part of, the operator, and where the value stands.
 * Every step is bounded or remembered, so an attempt costs the same whatever the text.
 */
final class Assignment {
    private static final int MAX_NAME = 64;
    private static final int MAX_SPACE = 32;
    private static final int MAX_ESCAPED_QUOTES = 16;
    private static final int CUT_WINDOW = 256;
    private static final ByteSet VALUE =
            new ByteSet().addRange('\t', '\r').add(' ').complement();
    /** What ends a sentence or a statement rather than a value. */
    private static final ByteSet TRAILING = ByteSet.of(",;:.)]}>\"'`\\");

    private static final byte[] LINE_END = {'\n'};
    private static final byte[] SECRET = Ascii.bytes("secret");
    private static final int UUID_LENGTH = 36;

    /** How the value is set off from what surrounds it. */
    enum Form {
        /** Between quotes of the same kind. */
        QUOTED,
        /** Up to white space. */
        BARE,
        /** Between tags. */
        ELEMENT,
        /** The whole of a JSON string whose member name is the name. */
        MEMBER
    }

    private final Match match;
    private final int from;
    private final int limit;
    private int at;
    private boolean keywordEndsName;

    int nameStart;
    int nameEnd;
    int valueStart;
    int valueEnd;
    Form form = Form.BARE;
    /** White space stood before or after the operator. */
    boolean spaced;
    /** The operator: one of {@code = : , ( >} or a space. */
    byte operator;

    Assignment(Match match) {
        this.match = match;
        this.from = match.start();
        this.limit = match.end();
    }

    /** Widens {@code [keywordStart, keywordEnd)} to the name it stands in. */
    boolean readName(int keywordStart, int keywordEnd) {
        byte[] text = match.text();
        int start = keywordStart;
        while (start > from && keywordStart - start < MAX_NAME && isNamePart(text[start - 1])) {
            start--;
        }
        int end = keywordEnd;
        while (end < limit && end - keywordEnd < MAX_NAME && isNamePart(text[end])) {
            end++;
        }
        nameStart = start;
        nameEnd = end;
        keywordEndsName = end <= keywordEnd + 1;
        return end - keywordEnd < MAX_NAME;
    }

    /** Reads operator and value after the name. False if there is no value. */
    boolean readValue() {
        at = nameEnd;
        boolean keyQuoted = skipQuote();
        if (keyQuoted && peek() == ']') {
            at++;
        }
        spaced = skipSpace();
        if (!readOperator(keyQuoted)) {
            return false;
        }
        if (form == Form.ELEMENT) {
            return readElement();
        }
        spaced |= skipSpace();
        skipStringPrefix();
        int slashes = 0;
        while (slashes < 8 && peek(slashes) == '\\') {
            slashes++;
        }
        byte quote = peek(slashes);
        if (isQuote(quote)) {
            at += slashes + 1;
            return readQuoted(quote, slashes);
        }
        // After a quoted name a colon is followed by a string, or by no string at all: a number, a variable.
        return operator != '(' && operator != ',' && !(keyQuoted && operator == ':') && readBare();
    }

    /** Takes a whole JSON string as the value of the name that was read. */
    void member(int start, int end) {
        form = Form.MEMBER;
        operator = ':';
        valueStart = start;
        valueEnd = end;
    }

    /**
     * Whether this is a reference of ours, <code>{{secret:UUID…}}</code>, or what stands in a value's place,
     * {@code [secret:UUID…]}: it names a secret and is none.
     */
    boolean isReference() {
        byte[] text = match.text();
        boolean opened = (nameStart > from && text[nameStart - 1] == '[')
                || (nameStart - 1 > from && text[nameStart - 1] == '{' && text[nameStart - 2] == '{');
        return opened
                && operator == ':'
                && valueStart == nameEnd + 1
                && nameEnd - nameStart == SECRET.length
                && Ascii.regionMatches(text, nameStart, nameEnd, SECRET)
                && isUuid(text, valueStart, valueEnd);
    }

    private static boolean isUuid(byte[] text, int start, int end) {
        if (end - start < UUID_LENGTH) {
            return false;
        }
        for (int i = 0; i < UUID_LENGTH; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? text[start + i] != '-' : !Ascii.isHex(text[start + i])) {
                return false;
            }
        }
        return true;
    }

    private boolean readOperator(boolean keyQuoted) {
        form = Form.BARE;
        operator = peek();
        switch (operator) {
            case '=' -> {
                at++;
                while (peek() == '=' || peek() == '>' || peek() == '~') {
                    at++;
                }
            }
            case ':' -> {
                at++;
                if (peek() == ':') {
                    return false;
                }
                if (peek() == '=') {
                    operator = '=';
                    at++;
                }
            }
            case ',' -> {
                at++;
                return keyQuoted;
            }
            case '(' -> {
                at++;
                return keywordEndsName;
            }
            case '>' -> {
                if (nameStart == from || match.text()[nameStart - 1] != '<') {
                    return false;
                }
                at++;
                form = Form.ELEMENT;
            }
            default -> {
                operator = ' ';
                byte[] text = match.text();
                return spaced && nameEnd - nameStart > 2 && text[nameStart] == '-' && text[nameStart + 1] == '-';
            }
        }
        return true;
    }

    private boolean readElement() {
        valueStart = at;
        int end = match.nextOccurrence(Match.NEXT_TAG, TAG, at);
        valueEnd = end;
        return end != Pattern.NONE && end > at && withinLine(end);
    }

    private static final byte[] TAG = {'<'};

    private boolean readQuoted(byte quote, int slashes) {
        byte[] text = match.text();
        form = Form.QUOTED;
        valueStart = at;
        byte[] literal = {quote};
        int memory =
                quote == '"' ? Match.NEXT_DOUBLE_QUOTE : quote == '\'' ? Match.NEXT_SINGLE_QUOTE : Match.NEXT_BACKTICK;
        int search = at;
        for (int hop = 0; hop < MAX_ESCAPED_QUOTES; hop++) {
            int found = match.nextOccurrence(memory, literal, search);
            if (found == Pattern.NONE || !withinLine(found)) {
                break;
            }
            int before = found;
            while (before > valueStart && text[before - 1] == '\\' && found - before <= slashes) {
                before--;
            }
            int escapes = match.backslashesBefore(found);
            if (slashes == 0 ? escapes % 2 == 0 : escapes <= slashes) {
                valueEnd = slashes == 0 ? found : Math.max(valueStart, found - escapes);
                return valueEnd > valueStart;
            }
            search = found + 1;
        }
        return readBare();
    }

    private boolean readBare() {
        byte[] text = match.text();
        form = Form.BARE;
        valueStart = at;
        int end = match.runEnd(Match.VALUE_RUN, VALUE, at);
        int window = Math.min(end, at + CUT_WINDOW);
        for (int cut = at + 1; cut < window; cut++) {
            if ((text[cut] == '&' || text[cut] == ';') && isNextParameter(cut + 1, end)) {
                end = cut;
                break;
            }
        }
        while (end > at && isTrailing(text[end - 1])) {
            end--;
        }
        valueEnd = end;
        return end > at;
    }

    /** Whether {@code name=} stands at {@code start}: the next part of a query or a connection string. */
    private boolean isNextParameter(int start, int end) {
        byte[] text = match.text();
        int name = start;
        while (name < end && name - start < 32 && (Ascii.isAlphanumeric(text[name]) || text[name] == '_')) {
            name++;
        }
        return name > start && name < end && text[name] == '=';
    }

    private boolean withinLine(int offset) {
        int lineEnd = match.nextOccurrence(Match.NEXT_LINE_END, LINE_END, at);
        return lineEnd == Pattern.NONE || offset < lineEnd;
    }

    private boolean skipQuote() {
        int slashes = 0;
        while (slashes < 8 && peek(slashes) == '\\') {
            slashes++;
        }
        if (isQuote(peek(slashes))) {
            at += slashes + 1;
            return true;
        }
        return false;
    }

    private boolean skipSpace() {
        int start = at;
        while (at - start < MAX_SPACE && (peek() == ' ' || peek() == '\t')) {
            at++;
        }
        return at > start;
    }

    /** The letters before a string literal, as in {@code b"…"} or {@code @"…"}. */
    private void skipStringPrefix() {
        for (int length = 1; length <= 2; length++) {
            if (isQuote(peek(length))) {
                for (int i = 0; i < length; i++) {
                    if (!Ascii.isLetter(peek(i)) && peek(i) != '@' && peek(i) != '$') {
                        return;
                    }
                }
                at += length;
                return;
            }
        }
    }

    private byte peek() {
        return peek(0);
    }

    private byte peek(int ahead) {
        return at + ahead < limit ? match.text()[at + ahead] : 0;
    }

    private static boolean isNamePart(byte b) {
        return Ascii.isAlphanumeric(b) || b == '_' || b == '-' || b == '.';
    }

    static boolean isQuote(byte b) {
        return b == '"' || b == '\'' || b == '`';
    }

    private static boolean isTrailing(byte b) {
        return TRAILING.contains(b);
    }
}
