package dev.postern.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * JSON texts that are well formed and as odd as RFC 8259 allows: white space, any character escaped or not, duplicate
 * names, numbers of every spelling, half pairs of surrogates.
 */
public final class RandomJson {
    private static final String[] WHITE_SPACE = {"", "", "", " ", "\n", "\t", "\r\n  "};
    private static final String[] NUMBERS = {
        "0", "-0", "1", "5432", "-17", "1.10", "0.1", "1e3", "1E+2", "-2.50e-7", "1e400", "9007199254740993", "0e0"
    };
    private static final List<String> FRAGMENTS = List.of(
            "", "a", "name", "0", "17", "-", "a/b", "c~d", "~1", "\"", "\\", "/", "\n", "\u0000", "\u001f", "\u007f",
            "é", "ſ", "€", "\u2028", "\ufeff", "😀", "\ud83d", "\ude00", "{", "}", "[", "]", ",", ":", "\\u007b",
            "null");

    private final Random random;
    private final List<String> fragments;
    private final int maxParts;

    private RandomJson(Random random, List<String> fragments, int maxParts) {
        this.random = random;
        this.fragments = fragments;
        this.maxParts = maxParts;
    }

    /** Any value at the top. */
    public static Arbitrary<String> values() {
        return Arbitraries.randomValue(random -> {
            RandomJson json = new RandomJson(random, FRAGMENTS, 5);
            return json.space() + json.value(4) + json.space();
        });
    }

    /** An object at the top; some of its strings are made with {@code extra} fragments. */
    public static Arbitrary<String> objectsWith(List<String> extra) {
        List<String> fragments = new ArrayList<>(FRAGMENTS);
        for (int i = 0; i < 3; i++) {
            fragments.addAll(extra);
        }
        return Arbitraries.randomValue(random -> {
            RandomJson json = new RandomJson(random, fragments, 4);
            return json.space() + json.object(4) + json.space();
        });
    }

    private String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0, 1, 2 -> string(fragments);
            case 3 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 4 -> List.of("true", "false", "null").get(random.nextInt(3));
            case 5 -> array(depth);
            default -> object(depth);
        };
    }

    private String array(int depth) {
        StringBuilder json = new StringBuilder("[").append(space());
        int count = random.nextInt(maxParts);
        for (int i = 0; i < count; i++) {
            json.append(i == 0 ? "" : ",")
                    .append(space())
                    .append(value(depth - 1))
                    .append(space());
        }
        return json.append(']').toString();
    }

    private String object(int depth) {
        StringBuilder json = new StringBuilder("{").append(space());
        int count = random.nextInt(maxParts);
        for (int i = 0; i < count; i++) {
            json.append(i == 0 ? "" : ",").append(space());
            // Names with the extra fragments are rare, since they may refuse everything.
            json.append(name(random.nextInt(40) == 0 ? fragments : FRAGMENTS)).append(space());
            json.append(':').append(space()).append(value(depth - 1)).append(space());
        }
        return json.append('}').toString();
    }

    /** The oracle does not take half a pair of surrogates in a name. */
    private String name(List<String> from) {
        String name = string(from);
        return name.matches("(?is).*\\\\u(d[89a-f]).*") ? "\"name\"" : name;
    }

    private String string(List<String> from) {
        StringBuilder text = new StringBuilder();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            text.append(from.get(random.nextInt(from.size())));
        }
        return quote(text.toString());
    }

    /** One of the many spellings of a string. */
    private String quote(String text) {
        int escapesIn = 1 + random.nextInt(12);
        StringBuilder token = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair && random.nextBoolean()) {
                token.append(c).append(text.charAt(++i));
            } else if (c < 0x20
                    || c == '"'
                    || c == '\\'
                    || Character.isSurrogate(c)
                    || random.nextInt(escapesIn) == 0) {
                token.append(escape(c));
            } else {
                token.append(c);
            }
        }
        return token.append('"').toString();
    }

    private String escape(char c) {
        int known = "\"\\/\b\f\n\r\t".indexOf(c);
        if (known >= 0 && random.nextBoolean()) {
            return "\\" + "\"\\/bfnrt".charAt(known);
        }
        return "\\u" + (random.nextBoolean() ? "%04x" : "%04X").formatted((int) c);
    }

    private String space() {
        return WHITE_SPACE[random.nextInt(WHITE_SPACE.length)];
    }
}
