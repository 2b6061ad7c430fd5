package dev.postern.scrub;

import dev.postern.json.JsonStrings;
import dev.postern.testkit.leak.Encoding;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A message made by chance from a seed: values of all kinds, in any form, nested in any way, anywhere. The same seed
 * makes the same message.
 */
final class FuzzMessage {
    private static final List<Encoding> ENCODINGS = List.of(Encoding.values());
    private static final String TOKEN = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final String HOSTILE = "\"\\/<>&'%+ ;#=:{}[],.-_~!@$*()?|^`ab12";
    private static final String LATIN = "\u00e0\u00e9\u00ee\u00f6\u00fc\u00dfA\u030ae\u0301xyz9-";
    private static final String WIDE = "\u79d8\u5bc6\u306e\u9375\ud55c\uae00\u0416\u0434\u03bb";
    private static final String[] WORDS = {
        "ok",
        "status",
        "error: 42",
        "https://example.org/a/b?c=d&e=f",
        "C:\\new\\table",
        "100 %",
        "{\"k\":[1,2]}",
        "<p>x</p>",
        "caf\u00e9",
        "key=",
        "Bearer ",
        "line\nnext",
        "a+b",
        "\u001b[32mok\u001b[0m",
        "token: ",
        "\ud83d\ude00",
        "'",
        "\"",
        "\\"
    };

    private static final String[] FILLER = {
        "the ",
        "user_",
        "returns",
        " = ",
        "\n    ",
        "0x1f",
        "/api/v1/",
        ", ",
        "\"name\": \"",
        "\",\n",
        "Zm9vYmFy",
        "d41d8cd98f00b204",
        "%20",
        "&amp;",
        "\\d+",
        "C:\\tmp\\",
        "\u2019",
        "caf\u00e9 ",
        "2026-11-30T06:45:12Z",
        "\t",
        "-----",
        "==",
        "a1b2c3d4-e5f6-"
    };

    private final SplittableRandom random;
    private final List<String> values = new ArrayList<>();
    private final StringBuilder forms = new StringBuilder();
    private String json = "";

    FuzzMessage(long seed) {
        this.random = new SplittableRandom(seed);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            values.add(value());
        }
        json = message();
    }

    List<String> values() {
        return values;
    }

    byte[] json() {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    /** Another text with the same values. */
    byte[] plainText() {
        return text().getBytes(StandardCharsets.UTF_8);
    }

    /** How the values were hidden, for whoever reads a failure. */
    String forms() {
        return forms.toString();
    }

    private String value() {
        int length = switch (random.nextInt(8)) {
            case 0 -> 4 + random.nextInt(4);
            case 1 -> 40 + random.nextInt(160);
            default -> 8 + random.nextInt(32);
        };
        while (true) {
            String value =
                    Normalizer.normalize(draw(length), Normalizer.Form.NFC).strip();
            if (value.codePointCount(0, value.length()) >= 4
                    && Character.getType(value.charAt(0)) != Character.NON_SPACING_MARK) {
                return value;
            }
        }
    }

    private String draw(int length) {
        StringBuilder value = new StringBuilder();
        int kind = random.nextInt(10);
        for (int i = 0; i < length; i++) {
            switch (kind) {
                case 0, 1, 2 -> value.append(TOKEN.charAt(random.nextInt(TOKEN.length())));
                case 3, 4, 5 -> value.append(HOSTILE.charAt(random.nextInt(HOSTILE.length())));
                case 6 -> value.append(LATIN.charAt(random.nextInt(LATIN.length())));
                case 7 -> value.append(WIDE.charAt(random.nextInt(WIDE.length())));
                case 8 -> value.append((char) ('!' + random.nextInt(94)));
                default -> value.appendCodePoint(anyCharacter());
            }
        }
        if (random.nextInt(12) == 0) {
            return TOKEN.substring(0, 1 + random.nextInt(3)).repeat(length);
        }
        return value.toString();
    }

    private int anyCharacter() {
        while (true) {
            int c = random.nextInt(3) == 0 ? random.nextInt(0x110000) : random.nextInt(0x500);
            if (c >= 0x20
                    && Character.isDefined(c)
                    && !Character.isSurrogate((char) c)
                    && Character.getType(c) != Character.CONTROL
                    && Character.getType(c) != Character.NON_SPACING_MARK) {
                return c;
            }
        }
    }

    private String message() {
        return switch (random.nextInt(4)) {
            case 0 -> "{\"content\":[" + blocks() + "],\"isError\":false}";
            case 1 -> "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + node(0) + "}";
            case 2 -> "{ \"a\" : [1, -0.5e3 ,null,true], \"b\":" + node(0) + " }";
            default -> "[" + string() + "," + node(0) + "]";
        };
    }

    /** One text, cut anywhere into adjacent blocks. */
    private String blocks() {
        String text = text();
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int to = Math.min(text.length(), at + 1 + random.nextInt(1 + text.length()));
            if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
                to++;
            }
            out.append(out.isEmpty() ? "" : ",")
                    .append("{\"type\":\"text\",\"text\":")
                    .append(quote(text.substring(at, to)))
                    .append('}');
            at = to;
        }
        return out.toString();
    }

    private String node(int depth) {
        return switch (random.nextInt(depth > 4 ? 2 : 5)) {
            case 0, 1 -> string();
            case 2 -> "[" + node(depth + 1) + ",12," + node(depth + 1) + "]";
            case 3 -> "{" + string() + ":" + node(depth + 1) + "}";
            default -> "{\"k\":" + node(depth + 1) + ",\"l\" : \"" + "x".repeat(random.nextInt(5)) + "\"}";
        };
    }

    private String string() {
        return quote(text());
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int parts = 1 + random.nextInt(3);
        for (int i = 0; i < parts; i++) {
            if (random.nextBoolean()) {
                text.append(WORDS[random.nextInt(WORDS.length)]);
            }
            if (random.nextInt(24) == 0) {
                filler(text);
            }
            if (random.nextInt(3) > 0) {
                text.append(hidden());
            }
        }
        if (random.nextInt(8) == 0) {
            // A tool that truncates.
            int cut = random.nextInt(1 + text.length() / 2);
            int from = random.nextBoolean() ? 0 : text.length() - cut;
            text.delete(from, from + cut);
        }
        return text.toString();
    }

    /** More than an engine looks at around a value. */
    private void filler(StringBuilder text) {
        int words = 20 + random.nextInt(100);
        for (int i = 0; i < words; i++) {
            switch (random.nextInt(12)) {
                case 0 -> text.append(WORDS[random.nextInt(WORDS.length)]);
                case 1 -> text.append(draw(1 + random.nextInt(30)));
                default -> text.append(FILLER[random.nextInt(FILLER.length)]);
            }
        }
    }

    private String hidden() {
        String text = values.get(random.nextInt(values.size()));
        int depth = random.nextInt(10) < 7 ? random.nextInt(3) : random.nextInt(5);
        StringBuilder chain = new StringBuilder();
        for (int i = 0; i < depth && text.length() < 4000; i++) {
            if (random.nextInt(3) == 0) {
                text = WORDS[random.nextInt(WORDS.length)] + text + WORDS[random.nextInt(WORDS.length)];
            }
            Encoding encoding = ENCODINGS.get(random.nextInt(ENCODINGS.size()));
            if (encoding == Encoding.COLOURS && i > 0) {
                // Colours stand between the characters of a value, not inside the escapes of one.
                continue;
            }
            text = encoding.apply(text, random);
            chain.append(encoding).append(' ');
        }
        forms.append('[').append(chain.toString().strip()).append(']');
        return text;
    }

    private String quote(String text) {
        String plain = JsonStrings.quote(text);
        return switch (random.nextInt(4)) {
            case 0 -> plain.replace("/", "\\/");
            case 1 -> "\"" + Encoding.JSON_ANY.apply(text, random) + "\"";
            default -> plain;
        };
    }
}
