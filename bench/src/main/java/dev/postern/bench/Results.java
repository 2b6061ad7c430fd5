package dev.postern.bench;

import dev.postern.json.JsonStrings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Results as tools return them, of about 150,000 characters, and values as people keep them. The same at each run. */
final class Results {
    private static final int CHARACTERS = 150_000;
    private static final String LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final String[] WORDS = {
        "the",
        "user",
        "config",
        "data",
        "server",
        "request",
        "returns",
        "value",
        "error",
        "is",
        "a",
        "of",
        "file",
        "path",
        "index",
        "null",
        "module",
        "value_of",
        "camelCase",
        "http",
        "process",
        "when",
        "method",
        "package",
        "import",
        "public",
        "static",
        "void",
        "return",
        "name",
        "created",
        "updated",
        "status",
        "active"
    };

    private Results() {}

    /** Passwords, tokens, hex and base64 keys and addresses with a password, in equal parts. */
    static List<String> values(int count) {
        SplittableRandom random = new SplittableRandom(7);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(
                    switch (i % 8) {
                        case 0, 1 -> draw(random, 16 + random.nextInt(9), LETTERS + "!@#$%^&*-_=+");
                        case 2, 3 -> "sk-" + draw(random, 40, LETTERS);
                        case 4 -> "ghp_" + draw(random, 36, LETTERS);
                        case 5 -> draw(random, 32 * (1 + random.nextInt(2)), "0123456789abcdef");
                        case 6 -> draw(random, 43, LETTERS + "+/") + "=";
                        default -> "postgres://app:" + draw(random, 20, LETTERS) + "@db" + i + ".example.org:5432/app";
                    });
        }
        return values;
    }

    /** One MCP result of a kind: prose, code, nested (JSON as text), records (structured) or image; values spread over it. */
    static byte[] result(String kind, List<String> planted) {
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder text = new StringBuilder();
        int every = CHARACTERS / (planted.size() + 1);
        int next = 0;
        int record = 0;
        while (text.length() < CHARACTERS) {
            switch (kind) {
                case "prose" -> text.append(word(random)).append(random.nextInt(12) == 0 ? ".\n" : " ");
                case "code" ->
                    text.append("    ".repeat(1 + random.nextInt(3)))
                            .append("if (")
                            .append(word(random))
                            .append('.')
                            .append(word(random))
                            .append("(\"")
                            .append(word(random))
                            .append("\") == ")
                            .append(random.nextInt(100))
                            .append(") { return new ")
                            .append(word(random))
                            .append("(this); }\n");
                case "nested", "records" -> text.append(record == 0 ? "" : ",").append(record(random, record++));
                default -> text.append(Base64.getEncoder().encodeToString(bytes(random)));
            }
            if (next < planted.size() && text.length() > every * (next + 1)) {
                String value = planted.get(next++);
                boolean inJson = kind.equals("nested") || kind.equals("records");
                text.append(inJson ? "," + JsonStrings.quote(value) : value + " ");
            }
        }
        String body = switch (kind) {
            case "records" -> "\"structuredContent\":{\"rows\":[" + text + "]}";
            case "nested" -> "\"content\":[{\"type\":\"text\",\"text\":" + JsonStrings.quote("[" + text + "]") + "}]";
            case "image" -> "\"content\":[{\"type\":\"image\",\"data\":\"" + text + "\",\"mimeType\":\"image/png\"}]";
            default -> "\"content\":[{\"type\":\"text\",\"text\":" + JsonStrings.quote(text.toString()) + "}]";
        };
        return ("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{" + body + ",\"isError\":false}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String record(SplittableRandom random, int number) {
        return "{\"id\":" + (1000 + number) + ",\"name\":\"" + word(random) + " " + word(random) + "\",\"email\":\""
                + word(random) + "@example.org\",\"active\":true,\"score\":" + random.nextInt(1000) / 10.0
                + ",\"uuid\":\"" + new UUID(random.nextLong(), random.nextLong()) + "\",\"note\":\"" + word(random)
                + " "
                + word(random) + " " + word(random) + ", " + word(random)
                + ".\",\"url\":\"https://example.org/api/v1/" + word(random) + "/" + number
                + "?limit=10\",\"created_at\":\"2026-11-30T06:4" + random.nextInt(10) + ":12.123Z\"}";
    }

    private static String word(SplittableRandom random) {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private static byte[] bytes(SplittableRandom random) {
        byte[] bytes = new byte[3000];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String draw(SplittableRandom random, int length, String alphabet) {
        StringBuilder drawn = new StringBuilder();
        for (int i = 0; i < length; i++) {
            drawn.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return drawn.toString();
    }
}
