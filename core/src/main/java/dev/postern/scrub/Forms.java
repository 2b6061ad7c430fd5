package dev.postern.scrub;

import dev.postern.secret.Reveal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what is looked for: the patterns that betray a value once a text's escapes are read. Escapes themselves need
 * no patterns, since {@link EscapeReader} reads them whatever their spelling; what needs patterns is the value, its lines
 * where it has several, and what base64 and hex make of it.
 */
final class Forms {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] HEX_LOWER = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX_UPPER = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    /** S15: at least so many characters. */
    private static final int SHORTEST_PART = 8;
    /** A line of a value of several lines is looked for alone from this length on. */
    private static final int SHORTEST_LINE = 12;

    private final List<Pattern> patterns = new ArrayList<>();
    private final List<Scalar> scalars = new ArrayList<>();
    private final Decompositions decompositions = new Decompositions();
    private final List<byte[]> scratch = new ArrayList<>();

    static Forms of(List<LiveSecret> live, List<LiveSecret> remembered) {
        Forms forms = new Forms();
        live.forEach(secret -> forms.add(secret, false));
        remembered.forEach(secret -> forms.add(secret, true));
        return forms;
    }

    List<Pattern> patterns() {
        return patterns;
    }

    List<Scalar> scalars() {
        return scalars;
    }

    /**
     * How many bytes, at least, a value takes that was escaped before it was encoded: one more than the shortest value that
     * is looked for anywhere. (Encoded as it is, it has a pattern.) {@link Pattern#NEVER} if there is no such value.
     */
    int shortestEscaped() {
        int shortest = Pattern.NEVER;
        for (Pattern pattern : patterns) {
            if (pattern.kind() == Pattern.Kind.PLAIN && pattern.target().reach() == Target.Reach.ANYWHERE) {
                shortest = Math.min(shortest, pattern.length() + 1);
            }
        }
        return shortest;
    }

    /** Whether every value that is looked for anywhere is ASCII. */
    boolean areAscii() {
        for (Pattern pattern : patterns) {
            if (pattern.kind() == Pattern.Kind.PLAIN) {
                for (byte b : pattern.bytes()) {
                    if (b < 0) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Whether a value has several lines, so that the ends of its lines may come back as other white space. */
    boolean haveLines() {
        for (Pattern pattern : patterns) {
            for (byte b : pattern.bytes()) {
                if (b == '\n') {
                    return true;
                }
            }
        }
        return false;
    }

    Decompositions decompositions() {
        return decompositions;
    }

    private void add(LiveSecret secret, boolean remembered) {
        byte[] stored = keep(secret.value().reveal(Reveal.TO_SCRUB));
        byte[] value = keep(trim(stored));
        if (value.length > 0) {
            char[] text = decode(value);
            if (text == null) {
                Target target = new Target(secret.placeholder(), value.length, Target.reach(value.length, remembered));
                patterns.add(Pattern.plain(value.clone(), target, part(value)));
                encoded(value, target);
            } else {
                int characters = Character.codePointCount(text, 0, text.length);
                Target target = new Target(secret.placeholder(), characters, Target.reach(characters, remembered));
                add(value, text, target);
                Arrays.fill(text, '\0');
            }
        }
        scratch.forEach(array -> Arrays.fill(array, (byte) 0));
        scratch.clear();
    }

    private void add(byte[] value, char[] text, Target target) {
        byte[] composed = keep(normalised(text, Normalizer.Form.NFC));
        byte[] decomposed = keep(normalised(text, Normalizer.Form.NFD));
        byte[] plain = lineFeeds(decomposed);
        decompositions.learn(text);
        patterns.add(Pattern.plain(plain, target, part(plain)));
        encoded(decomposed, target);
        // Marks of several characters may change places when all are decomposed, so the other forms are looked for too.
        if (!Arrays.equals(decomposed, composed)) {
            encoded(composed, target);
            byte[] lines = lineFeeds(composed);
            patterns.add(Pattern.plain(lines, target, part(lines)));
        }
        if (!Arrays.equals(value, composed) && !Arrays.equals(value, decomposed)) {
            encoded(value, target);
            byte[] lines = lineFeeds(value);
            patterns.add(Pattern.plain(lines, target, part(lines)));
        }
        if (target.reach() == Target.Reach.ANYWHERE) {
            lines(plain, target);
            byte[] unescaped = keep(unescapedLineFeeds(plain));
            if (unescaped.length != plain.length) {
                patterns.add(Pattern.plain(unescaped.clone(), target, part(unescaped)));
                lines(unescaped, target);
            }
        }
        Scalar scalar = Scalar.of(plain, target);
        if (scalar != null) {
            scalars.add(scalar);
        }
    }

    /** Each line of a value of several lines betrays it alone; the armour lines of a PEM block do not. */
    private void lines(byte[] plain, Target target) {
        int start = 0;
        for (int i = 0; i <= plain.length; i++) {
            if (i == plain.length || plain[i] == '\n') {
                byte[] line = keep(stripped(plain, start, i));
                if (line.length < plain.length && line.length >= SHORTEST_LINE && isOpaque(line)) {
                    patterns.add(Pattern.plain(line.clone(), target, part(line)));
                }
                start = i + 1;
            }
        }
    }

    private static boolean isOpaque(byte[] line) {
        for (byte b : line) {
            if (b == ' ' || b == '\t') {
                return false;
            }
        }
        return !(line[0] == '-' && line[1] == '-' && line[2] == '-');
    }

    /** Base64 at its three alignments in both alphabets, and hex in both cases. */
    private void encoded(byte[] value, Target target) {
        if (target.reach() == Target.Reach.TOKEN) {
            return;
        }
        boolean whole = target.reach() == Target.Reach.WHOLE;
        for (int alignment = 0; alignment < (whole ? 1 : 3); alignment++) {
            byte[] standard = base64(value, alignment, target, false);
            byte[] url = keep(base64(value, alignment, target, true));
            if (Arrays.equals(standard, url)) {
                continue;
            }
            patterns.add(base64Pattern(url.clone(), value, alignment, target));
        }
        patterns.add(Pattern.hex(hex(value, HEX_LOWER), target, hexPart(value)));
        patterns.add(Pattern.hex(hex(value, HEX_UPPER), target, hexPart(value)));
    }

    private byte[] base64(byte[] value, int alignment, Target target, boolean url) {
        int first = (8 * alignment + 5) / 6;
        int end = (8 * alignment + 8 * value.length) / 6;
        byte[] characters = new byte[end - first];
        for (int i = first; i < end; i++) {
            characters[i - first] = Sextets.character(Sextets.at(value, 6 * i - 8 * alignment), url);
        }
        if (!url) {
            patterns.add(base64Pattern(characters, value, alignment, target));
        }
        return characters;
    }

    private static Pattern base64Pattern(byte[] characters, byte[] value, int alignment, Target target) {
        int first = (8 * alignment + 5) / 6;
        int end = (8 * alignment + 8 * value.length) / 6;
        int leadBits = 6 * first - 8 * alignment;
        int trailBits = 8 * alignment + 8 * value.length - 6 * end;
        int lead = leadBits == 0 ? 0 : Sextets.at(value, leadBits - 6) & ((1 << leadBits) - 1);
        int trail = trailBits == 0 ? 0 : Sextets.at(value, 6 * end - 8 * alignment) >> (6 - trailBits);
        int part = part(value);
        return Pattern.base64(
                characters, target, part == Pattern.NEVER ? part : part * 4 / 3, leadBits, lead, trailBits, trail);
    }

    private static byte[] hex(byte[] value, byte[] digits) {
        byte[] hex = new byte[2 * value.length];
        for (int i = 0; i < value.length; i++) {
            hex[2 * i] = digits[value[i] >> 4 & 0xF];
            hex[2 * i + 1] = digits[value[i] & 0xF];
        }
        return hex;
    }

    private static int hexPart(byte[] value) {
        int part = part(value);
        return part == Pattern.NEVER ? part : 2 * part;
    }

    /**
     * S15: at least 8 characters and at least half of the value, and never more than the value but one. In bytes: of the first
     * half or the last, whichever has fewer.
     */
    private static int part(byte[] value) {
        int[] starts = new int[value.length + 1];
        int characters = 0;
        for (int at = 0; at < value.length; at = Characters.next(value, at)) {
            starts[characters++] = at;
        }
        int wanted = Math.max(SHORTEST_PART, (characters + 1) / 2);
        return wanted >= characters
                ? Pattern.NEVER
                : Math.min(starts[wanted], value.length - starts[characters - wanted]);
    }

    /** A value stored with a byte order mark before it or line ends after it is matched without them. */
    private static byte[] trim(byte[] stored) {
        int start = Arrays.mismatch(stored, BYTE_ORDER_MARK) == 3 ? 3 : 0;
        int end = stored.length;
        while (end > start && (stored[end - 1] == '\n' || stored[end - 1] == '\r')) {
            end--;
        }
        return Arrays.copyOfRange(stored, start, end);
    }

    private static byte[] stripped(byte[] bytes, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && (bytes[from] == ' ' || bytes[from] == '\t')) {
            from++;
        }
        while (to > from && (bytes[to - 1] == ' ' || bytes[to - 1] == '\t')) {
            to--;
        }
        return Arrays.copyOfRange(bytes, from, to);
    }

    /** CR LF and lone CR as LF. */
    private static byte[] lineFeeds(byte[] text) {
        byte[] result = new byte[text.length];
        int length = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\r') {
                result[length++] = '\n';
                if (i + 1 < text.length && text[i + 1] == '\n') {
                    i++;
                }
            } else {
                result[length++] = text[i];
            }
        }
        byte[] exact = Arrays.copyOf(result, length);
        Arrays.fill(result, (byte) 0);
        return exact;
    }

    /** A key kept on one line with {@code \n} spelled out, as environment files do, is printed with real line ends. */
    private static byte[] unescapedLineFeeds(byte[] text) {
        byte[] result = new byte[text.length];
        int length = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\\' && i + 1 < text.length && text[i + 1] == 'n') {
                result[length++] = '\n';
                i++;
            } else {
                result[length++] = text[i];
            }
        }
        byte[] exact = Arrays.copyOf(result, length);
        Arrays.fill(result, (byte) 0);
        return exact;
    }

    private static byte[] normalised(char[] text, Normalizer.Form form) {
        // Only a value that is not ASCII passes through a String here; the platform's normaliser offers no other way.
        CharBuffer chars = CharBuffer.wrap(text);
        CharBuffer normal = isAscii(text) ? chars : CharBuffer.wrap(Normalizer.normalize(chars, form));
        ByteBuffer encoded = StandardCharsets.UTF_8.encode(normal);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        wipe(encoded);
        return bytes;
    }

    private static void wipe(ByteBuffer buffer) {
        buffer.clear();
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, (byte) 0);
        }
    }

    private static void wipe(CharBuffer buffer) {
        buffer.clear();
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, '\0');
        }
    }

    private static boolean isAscii(char[] text) {
        for (char c : text) {
            if (c > 0x7F) {
                return false;
            }
        }
        return true;
    }

    private static char @Nullable [] decode(byte[] value) {
        try {
            CharBuffer chars = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            char[] text = new char[chars.remaining()];
            chars.get(text);
            wipe(chars);
            return text;
        } catch (CharacterCodingException notText) {
            return null;
        }
    }

    private byte[] keep(byte[] array) {
        scratch.add(array);
        return array;
    }
}
