package dev.postern.mcp.relay;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.json.Splice;
import dev.postern.mcp.wire.MetaKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
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
    private final Set<String> removed = new HashSet<>();
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
    ParamsEdit remove(Set<String> members) {
        removed.addAll(members);
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
        boolean isAnyLeft = takeOut();
        int from = params.start();
        Splice splice = new Splice(params.bytes());
        if (!first.isEmpty()) {
            String members = isAnyLeft ? first.toString() : first.substring(0, first.length() - 1);
            splice.insert(1, utf8(members));
        }
        for (Map.Entry<Integer, Range> range : ranges.entrySet()) {
            splice.replace(range.getKey() - from, range.getValue().end - from, range.getValue().replacement);
        }
        applied = splice.apply();
        return applied;
    }

    /** Plans what {@link #remove} asked for, now that all of it is known; whether any member is left. */
    private boolean takeOut() {
        boolean[] keptBefore = {false};
        params.forEachMember((name, value) -> {
            if (!removed.contains(name.string())) {
                keptBefore[0] = true;
            } else if (keptBefore[0]) {
                takeOut(skipSpace(name.start() - 1, -1), value.end());
            } else {
                int after = skipSpace(value.end(), 1);
                takeOut(name.start(), params.text()[after] == ',' ? after + 1 : value.end());
            }
        });
        return keptBefore[0];
    }

    private void takeOut(int start, int end) {
        ranges.subMap(start, end).clear();
        ranges.put(start, new Range(end, NOTHING));
    }

    /** Wipes what {@link #apply()} gave, if it holds values of secrets. */
    void wipe() {
        if (secret) {
            Arrays.fill(applied, (byte) 0);
        }
    }

    private int skipSpace(int from, int step) {
        byte[] text = params.text();
        int at = from;
        while (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
            at += step;
        }
        return at;
    }

    /** Whether an object has no members. */
    static boolean isEmpty(JsonValue object) {
        boolean[] empty = {true};
        object.forEachMember((name, value) -> empty[0] = false);
        return empty[0];
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
