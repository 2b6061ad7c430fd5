package dev.postern.mcp.relay;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.mcp.wire.MetaKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A request's params with some values replaced, taken out or added, in any order; every other byte stays. Used once, by one
 * thread. {@link #wipe()} afterwards where values of secrets were put in.
 */
final class ParamsEdit {
    private static final byte[] NOTHING = new byte[0];

    private final JsonValue params;
    private final TreeMap<Integer, Range> ranges = new TreeMap<>();
    private final StringBuilder first = new StringBuilder();
    private boolean secret;
    private byte[] applied = NOTHING;

    /** Not a record: a record would show the replacement in toString. */
    private static final class Range {
        private final int end;
        private final byte[] replacement;

        Range(int end, byte[] replacement) {
            this.end = end;
            this.replacement = replacement;
        }
    }

    /** An edit of params, which are an object. */
    ParamsEdit(JsonValue params) {
        this.params = params;
    }

    /** Puts other bytes in the place of a value somewhere in the params. */
    ParamsEdit replace(JsonValue value, byte[] replacement) {
        ranges.put(value.start(), new Range(value.end(), replacement));
        return this;
    }

    /** As {@link #replace}, with bytes that hold values of secrets. */
    ParamsEdit replaceWithSecrets(JsonValue value, byte[] replacement) {
        secret = true;
        return replace(value, replacement);
    }

    /** Takes members of the params themselves out, each with one comma, wherever they stand to each other. */
    ParamsEdit removeAll(Set<String> members) {
        boolean[] keptBefore = {false};
        params.forEachMember((name, value) -> {
            if (!members.contains(name.string())) {
                keptBefore[0] = true;
                return;
            }
            byte[] text = params.text();
            if (keptBefore[0]) {
                ranges.put(skipSpace(text, name.start() - 1, -1), new Range(value.end(), NOTHING));
                return;
            }
            int after = skipSpace(text, value.end(), 1);
            ranges.put(name.start(), new Range(text[after] == ',' ? after + 1 : value.end(), NOTHING));
        });
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

    /** Adds a member, whose value is JSON, to the params themselves. */
    ParamsEdit add(String member, byte[] value) {
        first.append(JsonStrings.quote(member))
                .append(':')
                .append(new String(value, StandardCharsets.UTF_8))
                .append(',');
        return this;
    }

    /** Adds a member, whose value is JSON, to {@code _meta}, unless it is there. */
    ParamsEdit addMeta(String member, String value) {
        JsonValue meta = params.member(MetaKeys.META);
        String text = JsonStrings.quote(member) + ":" + value;
        if (meta == null) {
            return add(MetaKeys.META, utf8("{" + text + "}"));
        }
        if (meta.is(Kind.OBJECT) && meta.member(member) == null) {
            int inside = meta.start() + 1;
            ranges.put(inside, new Range(inside, utf8(text + (isEmpty(meta) ? "" : ","))));
        }
        return this;
    }

    byte[] apply() {
        int from = params.start();
        Splice splice = new Splice(params.bytes());
        if (!first.isEmpty()) {
            String members = isEmpty(params) ? first.substring(0, first.length() - 1) : first.toString();
            splice.insert(1, utf8(members));
        }
        for (Map.Entry<Integer, Range> range : ranges.entrySet()) {
            splice.replace(range.getKey() - from, range.getValue().end - from, range.getValue().replacement);
        }
        applied = splice.apply();
        return applied;
    }

    /** Wipes what {@link #apply()} gave, if it holds values of secrets. */
    void wipe() {
        if (secret) {
            Arrays.fill(applied, (byte) 0);
        }
    }

    private static int skipSpace(byte[] text, int from, int step) {
        int at = from;
        while (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
            at += step;
        }
        return at;
    }

    private static boolean isEmpty(JsonValue object) {
        boolean[] empty = {true};
        object.forEachMember((name, value) -> empty[0] = false);
        return empty[0];
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
