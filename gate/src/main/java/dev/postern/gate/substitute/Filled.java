package dev.postern.gate.substitute;

import dev.postern.gate.call.Filling.Gap;
import dev.postern.json.JsonTokens;
import dev.postern.json.JsonTokens.Token;
import dev.postern.json.JsonValue;
import dev.postern.json.Splice;
import dev.postern.reference.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Arguments with their gaps filled, and where the references now stand that were found before. */
record Filled(JsonValue arguments, List<Placement> placements) {
    static Filled of(JsonValue template, List<Placement> found, List<Gap> gaps) {
        int base = template.start();
        Splice splice = new Splice(template.bytes());
        gaps.forEach(gap -> splice.replace(gap.start() - base, gap.end() - base, gap.content()));
        JsonValue filled = JsonValue.parse(splice.apply());
        Map<Integer, JsonValue> strings = strings(filled);
        List<Placement> moved = new ArrayList<>();
        for (Placement placement : found) {
            JsonValue token = strings.get(moved(placement.token().start(), base, gaps));
            int start = moved(placement.start(), base, gaps);
            int end = moved(placement.end(), base, gaps);
            if (token == null || !stands(placement, filled, start, end)) {
                throw new IllegalStateException("a gap reaches into a reference");
            }
            moved.add(new Placement(placement.pointer(), token, start, end, placement.reference()));
        }
        return new Filled(filled, moved);
    }

    private static boolean stands(Placement placement, JsonValue filled, int start, int end) {
        return Arrays.equals(placement.token().text(), placement.start(), placement.end(), filled.text(), start, end);
    }

    private static int moved(int offset, int base, List<Gap> gaps) {
        int at = offset - base;
        for (Gap gap : gaps) {
            if (gap.end() <= offset) {
                at += gap.content().length - (gap.end() - gap.start());
            }
        }
        return at;
    }

    private static Map<Integer, JsonValue> strings(JsonValue json) {
        Map<Integer, JsonValue> strings = new HashMap<>();
        JsonTokens tokens = new JsonTokens(json);
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            if (token == Token.STRING) {
                strings.put(tokens.start(), tokens.value());
            }
        }
        return strings;
    }
}
