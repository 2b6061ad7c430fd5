package dev.postern.scrub;

import dev.postern.json.JsonValue;
import dev.postern.json.Splice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The one rewrite of a message that follows from what was found in it: places in strings and names get the placeholder,
 * scalars become strings, names that became equal are told apart (S7), and binary blocks go as a whole (S5).
 */
final class Rewrite {
    private record Edit(int start, int end, byte[] replacement) {}

    private final byte[] json;
    private final TokenList tokens;
    private final List<Occurrences.Place> places;
    private final List<Edit> edits = new ArrayList<>();

    Rewrite(byte[] json, TokenList tokens, List<Occurrences.Place> places) {
        this.json = json;
        this.tokens = tokens;
        this.places = places;
    }

    Scrubbed apply(BinaryResults binaryResults) {
        List<BinaryBlocks.Block> blocks = new BinaryBlocks(json, tokens, places).find(binaryResults);
        if (places.isEmpty() && blocks.isEmpty()) {
            return new Scrubbed(json, 0);
        }
        int block = 0;
        for (Occurrences.Place place : places) {
            while (block < blocks.size() && blocks.get(block).end() <= place.start()) {
                block++;
            }
            if (block == blocks.size() || place.end() <= blocks.get(block).start()) {
                edits.add(new Edit(place.start(), place.end(), replacement(place)));
            }
        }
        blocks.forEach(each -> edits.add(new Edit(each.start(), each.end(), each.replacement())));
        edits.sort(Comparator.comparingInt(Edit::start));
        int hits = edits.size();
        distinguishNames();
        Splice splice = new Splice(json);
        edits.forEach(edit -> splice.replace(edit.start, edit.end, edit.replacement));
        return new Scrubbed(splice.apply(), hits);
    }

    /** What takes a place. */
    static byte[] replacement(Occurrences.Place place) {
        Target target = place.target();
        if (target == null) {
            return new byte[0];
        }
        return place.scalar() ? quoted(target.escaped()) : target.escaped();
    }

    private static byte[] quoted(byte[] escaped) {
        byte[] quoted = new byte[escaped.length + 2];
        quoted[0] = '"';
        System.arraycopy(escaped, 0, quoted, 1, escaped.length);
        quoted[quoted.length - 1] = '"';
        return quoted;
    }

    /** S7: of names that became equal, the second is told apart by {@code #2}, and so on. */
    private void distinguishNames() {
        Set<Integer> changed = new HashSet<>();
        for (Edit edit : edits) {
            int token = tokens.at(edit.start);
            if (tokens.kind(token) == TokenList.NAME && isInside(edit, token)) {
                changed.add(token);
            }
        }
        if (changed.isEmpty()) {
            return;
        }
        List<Edit> suffixes = new ArrayList<>();
        Set<Integer> objects = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>();
        for (int token = 0; token < tokens.size(); token++) {
            switch (tokens.kind(token)) {
                case TokenList.OBJECT, TokenList.ARRAY -> open.push(token);
                case TokenList.OBJECT_END, TokenList.ARRAY_END -> open.pop();
                case TokenList.NAME -> {
                    if (changed.contains(token)) {
                        objects.add(open.getFirst());
                    }
                }
                default -> {}
            }
        }
        objects.forEach(object -> distinguishNames(object, changed, suffixes));
        edits.addAll(suffixes);
        edits.sort(Comparator.comparingInt(Edit::start).thenComparingInt(Edit::end));
    }

    private void distinguishNames(int object, Set<Integer> changed, List<Edit> suffixes) {
        Set<String> taken = new HashSet<>();
        List<Integer> names = new ArrayList<>();
        int level = 0;
        for (int token = object; token == object || level > 0; token++) {
            switch (tokens.kind(token)) {
                case TokenList.OBJECT, TokenList.ARRAY -> level++;
                case TokenList.OBJECT_END, TokenList.ARRAY_END -> level--;
                case TokenList.NAME -> {
                    if (level == 1 && changed.contains(token)) {
                        names.add(token);
                    } else if (level == 1) {
                        taken.add(decoded(token, List.of()));
                    }
                }
                default -> {}
            }
        }
        for (int name : names) {
            String key = decoded(name, edits);
            int number = 1;
            String candidate = key;
            while (!taken.add(candidate)) {
                candidate = key + "#" + ++number;
            }
            if (number > 1) {
                int end = tokens.end(name) - 1;
                suffixes.add(new Edit(end, end, ("#" + number).getBytes(StandardCharsets.US_ASCII)));
            }
        }
    }

    /** A name once the edits within it are made; by then it holds no value. */
    private String decoded(int name, List<Edit> edits) {
        int start = tokens.start(name);
        byte[] token = Arrays.copyOfRange(json, start, tokens.end(name));
        Splice splice = new Splice(token);
        for (int i = firstAfter(edits, start); i < edits.size() && isInside(edits.get(i), name); i++) {
            Edit edit = edits.get(i);
            splice.replace(edit.start - start, edit.end - start, edit.replacement);
        }
        return JsonValue.parse(splice.apply()).string();
    }

    private static int firstAfter(List<Edit> edits, int position) {
        int low = 0;
        int high = edits.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (edits.get(middle).start <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isInside(Edit edit, int token) {
        return edit.start > tokens.start(token) && edit.end < tokens.end(token);
    }
}
