package dev.postern.mcp.relay;

import dev.postern.json.JsonValue;
import dev.postern.json.Splice;
import java.util.Map;
import java.util.TreeMap;

/** A request's params with some values replaced or taken out, in any order; every other byte stays. Used once, by one thread. */
final class ParamsEdit {
    private static final byte[] NOTHING = new byte[0];

    private final JsonValue params;
    private final TreeMap<Integer, Range> ranges = new TreeMap<>();

    private record Range(int end, byte[] replacement) {
        @Override
        public String toString() {
            return "Range[" + replacement.length + " bytes]";
        }
    }

    ParamsEdit(JsonValue params) {
        this.params = params;
    }

    /** Puts other bytes in the place of a value somewhere in the params. */
    ParamsEdit replace(JsonValue value, byte[] replacement) {
        ranges.put(value.start(), new Range(value.end(), replacement));
        return this;
    }

    /** Takes a member of the params themselves out, with one comma. */
    ParamsEdit remove(String member) {
        params.forEachMember((name, value) -> {
            if (name.string().equals(member)) {
                byte[] text = params.text();
                int after = skipSpace(text, value.end(), 1);
                if (text[after] == ',') {
                    ranges.put(name.start(), new Range(after + 1, NOTHING));
                    return;
                }
                int before = skipSpace(text, name.start() - 1, -1);
                ranges.put(text[before] == ',' ? before : name.start(), new Range(value.end(), NOTHING));
            }
        });
        return this;
    }

    private static int skipSpace(byte[] text, int from, int step) {
        int at = from;
        while (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
            at += step;
        }
        return at;
    }

    byte[] apply() {
        int from = params.start();
        Splice splice = new Splice(params.bytes());
        for (Map.Entry<Integer, Range> range : ranges.entrySet()) {
            splice.replace(range.getKey() - from, range.getValue().end - from, range.getValue().replacement);
        }
        return splice.apply();
    }
}
