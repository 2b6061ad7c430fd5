package dev.postern.mcp.relay;

import dev.postern.gate.call.Filling;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonTokens;
import dev.postern.json.JsonTokens.Token;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.catalog.OwnTools;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What earlier steps answered, for later ones: <code>{{step:N}}</code> in a string is the text of step N's result,
 * <code>{{step:N#POINTER}}</code> the part of the result that a JSON Pointer (RFC 6901) names. Only what the agent could see is
 * there, scrubbed. Put in as a {@link Filling}, so that nothing in it is ever taken for a reference.
 */
final class StepOutputs implements Filling {
    private static final byte[] OPEN = "{{step:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "}}".getBytes(StandardCharsets.US_ASCII);

    /** One output can be asked for very often. */
    private static final int MAX_BYTES = 4 << 20;

    private final List<@Nullable JsonValue> results = new ArrayList<>();

    /** The next step's result; null if it has none. */
    void add(@Nullable JsonValue result) {
        results.add(result);
    }

    @Override
    public List<Gap> gaps(JsonValue arguments) {
        List<Gap> gaps = new ArrayList<>();
        byte[] text = arguments.text();
        long size = 0;
        JsonTokens tokens = new JsonTokens(arguments);
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            if (token != Token.STRING && token != Token.NAME) {
                continue;
            }
            int from = tokens.start() + 1;
            int end = tokens.end() - 1;
            for (int open = find(text, OPEN, from, end); open >= 0; open = find(text, OPEN, from, end)) {
                int close = find(text, CLOSE, open, end);
                if (token == Token.NAME || close < 0) {
                    throw OwnTools.invalid(
                            "a {{step:…}} is not closed, or stands in the name of a member",
                            "Write {{step:1}} or {{step:1#/pointer}} inside a string value");
                }
                from = close + CLOSE.length;
                JsonValue value = value(decoded(text, open + OPEN.length, close));
                boolean alone = open == tokens.start() + 1 && from == end;
                Gap gap = alone
                        ? new Gap(tokens.start(), tokens.end(), value.bytes())
                        : new Gap(open, from, inText(value));
                gaps.add(gap);
                size += gap.content().length;
                if (size > MAX_BYTES) {
                    throw OwnTools.invalid(
                            "the outputs of earlier steps make the arguments too large", "Take smaller parts of them");
                }
            }
        }
        return gaps;
    }

    /** What {@code N} or {@code N#POINTER} stands for. */
    private JsonValue value(String asked) {
        int hash = asked.indexOf('#');
        JsonValue result = result(hash < 0 ? asked : asked.substring(0, hash));
        if (hash < 0) {
            return text(result);
        }
        JsonValue value = at(result, asked.substring(hash + 1));
        if (value == null) {
            throw OwnTools.invalid(
                    "a {{step:…#…}} names a part that the result does not have",
                    "Look at the step's result first; text is at /content/0/text");
        }
        return value;
    }

    private JsonValue result(String number) {
        int step;
        try {
            step = Integer.parseInt(number);
        } catch (NumberFormatException e) {
            step = 0;
        }
        JsonValue result = step < 1 || step > results.size() ? null : results.get(step - 1);
        if (result == null) {
            throw OwnTools.invalid(
                    "a {{step:…}} names no earlier step that has a result",
                    "Count from 1 and name steps before this one");
        }
        return result;
    }

    /** The text blocks of a result, each on lines of its own; of a result without any, what it says for programs. */
    private static JsonValue text(JsonValue result) {
        StringJoiner text = new StringJoiner("\n");
        text.setEmptyValue("");
        JsonValue content = result.member("content");
        boolean any = false;
        for (JsonValue block : content == null ? List.<JsonValue>of() : content.elements()) {
            String one = block.string("text");
            if (one != null) {
                text.add(one);
                any = true;
            }
        }
        JsonValue structured = result.member("structuredContent");
        String all = any || structured == null ? text.toString() : structured.spelling();
        return JsonValue.parse(JsonStrings.quote(all).getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable JsonValue at(JsonValue root, String pointer) {
        if (pointer.isEmpty()) {
            return root;
        }
        if (pointer.charAt(0) != '/') {
            return null;
        }
        JsonValue value = root;
        for (String step : pointer.substring(1).split("/", -1)) {
            String name = step.replace("~1", "/").replace("~0", "~");
            if (value == null) {
                return null;
            }
            value = switch (value.kind()) {
                case OBJECT -> value.member(name);
                case ARRAY -> element(value, name);
                default -> null;
            };
        }
        return value;
    }

    private static @Nullable JsonValue element(JsonValue array, String index) {
        List<JsonValue> elements = array.elements();
        boolean isIndex =
                !index.isEmpty() && index.length() < 9 && index.chars().allMatch(c -> c >= '0' && c <= '9');
        int at = isIndex ? Integer.parseInt(index) : elements.size();
        return at < elements.size() ? elements.get(at) : null;
    }

    /** A value within longer text: a string's text, anything else as it is spelt. */
    private static byte[] inText(JsonValue value) {
        return value.is(Kind.STRING)
                ? Arrays.copyOfRange(value.text(), value.start() + 1, value.end() - 1)
                : JsonStrings.escape(value.bytes());
    }

    private static String decoded(byte[] text, int start, int end) {
        byte[] quoted = new byte[end - start + 2];
        quoted[0] = '"';
        System.arraycopy(text, start, quoted, 1, end - start);
        quoted[quoted.length - 1] = '"';
        return JsonValue.parse(quoted).string();
    }

    private static int find(byte[] text, byte[] word, int from, int end) {
        for (int at = from; at <= end - word.length; at++) {
            if (Arrays.equals(text, at, at + word.length, word, 0, word.length)) {
                return at;
            }
        }
        return -1;
    }
}
