package dev.postern.json;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * The canonical form of a JSON value, for digests (RFC 8785): no white space, members sorted by the UTF-16 code units
 * of their names, numbers as ECMAScript writes them, strings with the fewest escapes.
 *
 * <p>RFC 8785 speaks of I-JSON alone; an approval binds any call there is, and two calls that a tool could tell apart
 * must never share a digest. So where the RFC has no answer, or would round, this has one that loses nothing:
 *
 * <ul>
 *   <li>a number that a double does not hold exactly as spelt ({@code 1e400}, {@code 9007199254740993}, more digits
 *       than a double has) keeps its spelling. Spellings of one number ({@code 1.0}, {@code 1e0}, {@code 1}) are one;
 *   <li>members of the same name all stay, in the order they came;
 *   <li>half a pair of surrogates stays an escape.
 * </ul>
 */
public final class CanonicalJson {
    /** Longer spellings stand for no double that is not written shorter; they are not worth the arithmetic. */
    private static final int MAX_COMPARED_DIGITS = 400;

    private CanonicalJson() {}

    /** The canonical bytes of {@code value}. Not for what holds a secret: nothing here is wiped. */
    public static byte[] of(JsonValue value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(value.end() - value.start());
        write(tree(value), out);
        return out.toByteArray();
    }

    /** The canonical bytes of a string that stands nowhere yet, quotes included. */
    public static byte[] of(String string) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(string.length() + 2);
        writeString(string, out);
        return out.toByteArray();
    }

    /** A value ready to be written: a scalar has its bytes, a container its parts. */
    private static final class Node {
        private final String name;
        private final byte[] open;
        private final List<Node> parts = new ArrayList<>(0);

        Node(String name, byte[] open) {
            this.name = name;
            this.open = open;
        }

        boolean isObject() {
            return open[0] == '{';
        }

        boolean isContainer() {
            return open[0] == '{' || open[0] == '[';
        }
    }

    private static Node tree(JsonValue value) {
        JsonTokens tokens = new JsonTokens(value);
        Deque<Node> open = new ArrayDeque<>();
        Node root = new Node("", new byte[] {'['});
        open.push(root);
        String name = "";
        while (true) {
            JsonTokens.Token token = tokens.next();
            switch (token) {
                case NAME -> name = tokens.value().string();
                case STRING ->
                    open.peek().parts.add(new Node(name, of(tokens.value().string())));
                case SCALAR -> open.peek().parts.add(new Node(name, scalar(tokens.value())));
                case OBJECT_START, ARRAY_START -> {
                    Node container =
                            new Node(name, new byte[] {(byte) (token == JsonTokens.Token.OBJECT_START ? '{' : '[')});
                    open.peek().parts.add(container);
                    open.push(container);
                }
                case OBJECT_END -> open.pop().parts.sort(Comparator.comparing(member -> member.name));
                case ARRAY_END -> open.pop();
                case END -> {
                    return root.parts.get(0);
                }
            }
        }
    }

    private static void write(Node root, ByteArrayOutputStream out) {
        record Level(Node container, int next) {}
        Deque<Level> levels = new ArrayDeque<>();
        Node node = root;
        while (true) {
            out.writeBytes(node.open);
            if (node.isContainer()) {
                levels.push(new Level(node, 0));
            }
            while (!levels.isEmpty()
                    && levels.peek().next == levels.peek().container.parts.size()) {
                out.write(levels.pop().container.isObject() ? '}' : ']');
            }
            if (levels.isEmpty()) {
                return;
            }
            Level level = levels.pop();
            if (level.next > 0) {
                out.write(',');
            }
            node = level.container.parts.get(level.next);
            if (level.container.isObject()) {
                writeString(node.name, out);
                out.write(':');
            }
            levels.push(new Level(level.container, level.next + 1));
        }
    }

    private static byte[] scalar(JsonValue value) {
        return value.is(JsonValue.Kind.NUMBER)
                ? number(value.spelling()).getBytes(StandardCharsets.US_ASCII)
                : value.bytes();
    }

    private static String number(String spelling) {
        if (spelling.length() > MAX_COMPARED_DIGITS) {
            return spelling;
        }
        double number = Double.parseDouble(spelling);
        if (Double.isInfinite(number)) {
            return spelling;
        }
        String canonical = EcmaNumbers.format(number);
        return isSameNumber(spelling, canonical) ? canonical : spelling;
    }

    private static boolean isSameNumber(String spelling, String canonical) {
        try {
            return new BigDecimal(spelling).compareTo(new BigDecimal(canonical)) == 0;
        } catch (NumberFormatException e) {
            // An exponent past what BigDecimal takes.
            return false;
        }
    }

    private static void writeString(String string, ByteArrayOutputStream out) {
        out.write('"');
        int run = 0;
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < string.length()
                    && Character.isLowSurrogate(string.charAt(i + 1))) {
                i++;
            } else if (c < 0x20 || c == '"' || c == '\\' || Character.isSurrogate(c)) {
                out.writeBytes(string.substring(run, i).getBytes(StandardCharsets.UTF_8));
                out.writeBytes(escape(c).getBytes(StandardCharsets.US_ASCII));
                run = i + 1;
            }
        }
        out.writeBytes(string.substring(run).getBytes(StandardCharsets.UTF_8));
        out.write('"');
    }

    private static String escape(char c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> "\\u" + String.format("%04x", (int) c);
        };
    }
}
