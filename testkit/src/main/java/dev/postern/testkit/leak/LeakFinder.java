package dev.postern.testkit.leak;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/**
 * Looks for values in a message by decoding everything and looking, down to {@value #DEPTH} decodings deep. Values should
 * have 4 characters or more: shorter ones are found by chance.
 */
public final class LeakFinder {
    /** How many decodings are tried one after another. */
    public static final int DEPTH = 4;

    /** A message that decodes to more texts than this is beyond what is worth a test's time. */
    private static final int MAX_TEXTS = 4_000;

    private final List<String> values = new ArrayList<>();
    private final List<String> ignored;
    private final int shortest;

    private record Text(String text, String how, int depth) {}

    /**
     * Will look for these values.
     *
     * @param placeholders texts of ours that may hold a value's letters by chance; they are taken out first
     */
    public LeakFinder(List<String> values, List<String> placeholders) {
        for (String value : values) {
            this.values.add(Normalizer.normalize(value, Normalizer.Form.NFC));
        }
        this.ignored = List.copyOf(placeholders);
        this.shortest = this.values.stream().mapToInt(String::length).min().orElse(Integer.MAX_VALUE);
    }

    /** Looks through every string, key and scalar of a JSON text, and through adjacent text blocks as one. */
    public Optional<Leak> inJson(byte[] json) {
        List<Text> texts = new ArrayList<>();
        try {
            collect(JSON.std.anyFrom(json), texts);
        } catch (JacksonException notJson) {
            texts.add(new Text(new String(json, StandardCharsets.UTF_8), "text", 0));
        }
        return look(texts);
    }

    /** Looks through plain text. */
    public Optional<Leak> inText(byte[] text) {
        return look(List.of(new Text(new String(text, StandardCharsets.UTF_8), "text", 0)));
    }

    private static void collect(Object node, List<Text> texts) {
        if (node instanceof Map<?, ?> object) {
            object.forEach((key, value) -> {
                texts.add(new Text(String.valueOf(key), "key", 0));
                collect(value, texts);
            });
        } else if (node instanceof List<?> array) {
            StringBuilder together = new StringBuilder();
            for (Object element : array) {
                collect(element, texts);
                if (element instanceof Map<?, ?> block && block.get("text") instanceof String text) {
                    together.append(text);
                } else {
                    texts.add(new Text(together.toString(), "adjacent blocks", 0));
                    together.setLength(0);
                }
            }
            texts.add(new Text(together.toString(), "adjacent blocks", 0));
        } else {
            texts.add(new Text(String.valueOf(node), "string", 0));
        }
    }

    private Optional<Leak> look(List<Text> texts) {
        Set<String> seen = new HashSet<>();
        Deque<Text> open = new ArrayDeque<>();
        for (Text text : texts) {
            add(text.text, text.how, 0, seen, open);
        }
        while (!open.isEmpty()) {
            Text next = open.poll();
            int value = valueIn(next.text);
            if (value >= 0) {
                return Optional.of(new Leak(value, next.how));
            }
            if (next.depth < DEPTH && seen.size() < MAX_TEXTS) {
                decode(next, seen, open);
            }
        }
        return Optional.empty();
    }

    private void add(String found, String how, int depth, Set<String> seen, Deque<Text> open) {
        // No decoding makes a text longer, so what is too short for every value stays so.
        if (depth > 0 && found.length() < shortest && composed(found).length() < shortest) {
            return;
        }
        String text = found;
        for (String placeholder : ignored) {
            text = text.replace(placeholder, "\u0000");
        }
        if (seen.add(text)) {
            open.add(new Text(text, how, depth));
        }
    }

    private int valueIn(String text) {
        String composed = composed(text);
        for (int i = 0; i < values.size(); i++) {
            if (composed.contains(values.get(i)) || text.contains(values.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private static String composed(String text) {
        return isAscii(text) ? text : Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    private void decode(Text from, Set<String> seen, Deque<Text> open) {
        int depth = from.depth + 1;
        String text = from.text;
        if (text.indexOf('\\') >= 0) {
            add(Decoders.backslash(text), from.how + " > backslash", depth, seen, open);
        }
        if (text.indexOf('%') >= 0) {
            add(Decoders.percent(text), from.how + " > percent", depth, seen, open);
        }
        if (text.indexOf('+') >= 0) {
            add(text.replace('+', ' '), from.how + " > plus", depth, seen, open);
            add(Decoders.percent(text.replace('+', ' ')), from.how + " > plus percent", depth, seen, open);
        }
        if (text.indexOf('&') >= 0) {
            add(Decoders.html(text), from.how + " > html", depth, seen, open);
        }
        if (text.indexOf('\'') >= 0) {
            add(text.replace("'\\''", "'"), from.how + " > shell", depth, seen, open);
        }
        if (text.indexOf('\u001b') >= 0) {
            add(text.replaceAll("\u001b\\[[0-9;]*[A-Za-z]", ""), from.how + " > colours", depth, seen, open);
        }
        if (text.indexOf('\r') >= 0) {
            add(text.replace("\r\n", "\n"), from.how + " > line ends", depth, seen, open);
        }
        blocks(text, from.how, depth, seen, open);
    }

    private void blocks(String text, String how, int depth, Set<String> seen, Deque<Text> open) {
        byte[] run = new byte[text.length()];
        int length = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            if (Decoders.isBase64(c)) {
                run[length++] = (byte) c;
            } else if ((c != '\n' && c != '\r') || i == text.length()) {
                if (length >= Math.min(5, shortest)) {
                    run(Arrays.copyOf(run, length), how, depth, seen, open);
                }
                length = 0;
            }
        }
    }

    private void run(byte[] run, String how, int depth, Set<String> seen, Deque<Text> open) {
        for (int phase = 0; phase < 4 && run.length - phase >= 5; phase++) {
            add(Decoders.base64(run, phase), how + " > base64", depth, seen, open);
        }
        for (int phase = 0; phase < 2 && run.length - phase >= 8; phase++) {
            for (String decoded : Decoders.hex(run, phase)) {
                add(decoded, how + " > hex", depth, seen, open);
            }
        }
    }
}
