package dev.postern.gate.policy;

import dev.postern.gate.policy.AgentRules.Allowed;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads the policy's members {@code agents} and {@code quotas}, as strictly as the rest of it. */
final class RuleReader {
    private static final int MAX_SECONDS = 24 * 60 * 60;

    private static final Set<String> LIMITS =
            Set.of("callsPerMinute", "concurrentCalls", "pendingApprovals", "resultCharacters", "callSeconds");

    private RuleReader() {}

    /** {@code {"NAME": {"allow": [TOOL, …]}}}; names and tools are patterns. */
    static List<AgentRules> agents(String place, JsonValue value) {
        List<AgentRules> agents = new ArrayList<>();
        members(place, value, "{\"AGENT\":{\"allow\":[\"SERVER__TOOL\"]}}", (name, rules) -> {
            String at = place + "/" + name;
            List<Allowed> allow = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            members(at, rules, "{\"allow\":[\"SERVER__TOOL\"]}", (member, list) -> {
                if (!member.equals("allow")) {
                    throw new PolicyException(at + " has an unknown member; what an agent may call stands in 'allow'");
                }
                seen.add(member);
                elements(at + "/allow", list, (element, tool) -> allow.add(allowed(element, tool)));
            });
            if (seen.isEmpty()) {
                throw new PolicyException(at + " says nothing; add 'allow', or leave the agent out");
            }
            agents.add(new AgentRules(glob(at, name), allow));
        });
        return agents;
    }

    private static Allowed allowed(String place, JsonValue value) {
        if (value.is(Kind.STRING)) {
            return new Allowed(glob(place, value), List.of());
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members(place, value, "\"SERVER__TOOL\" or {\"tool\":…,\"where\":{\"/POINTER\":\"PATTERN\"}}", members::put);
        requireKnown(place, members.keySet(), Set.of("tool", "where"));
        JsonValue tool = members.get("tool");
        if (tool == null) {
            throw new PolicyException(place + " names no tool; add 'tool', such as \"files__*\"");
        }
        List<ArgumentPattern> where = new ArrayList<>();
        JsonValue patterns = members.get("where");
        if (patterns != null) {
            String at = place + "/where";
            members(
                    at,
                    patterns,
                    "{\"/POINTER\":\"PATTERN\"}",
                    (pointer, texts) -> where.add(argument(at, pointer, texts)));
        }
        return new Allowed(glob(place + "/tool", tool), where);
    }

    private static ArgumentPattern argument(String place, String pointer, JsonValue texts) {
        String at = place + "/" + pointer.replace("~", "~0").replace("/", "~1");
        if (!pointer.startsWith("/")) {
            throw new PolicyException(at + " is no JSON Pointer; begin it with '/', such as \"/path\"");
        }
        for (int tilde = pointer.indexOf('~'); tilde >= 0; tilde = pointer.indexOf('~', tilde + 1)) {
            if (!pointer.startsWith("~0", tilde) && !pointer.startsWith("~1", tilde)) {
                throw new PolicyException(at + " is no JSON Pointer; write '~' as '~0' and '/' in a name as '~1'");
            }
        }
        List<Glob> globs = new ArrayList<>();
        if (texts.is(Kind.ARRAY)) {
            elements(at, texts, (element, text) -> globs.add(glob(element, text)));
        } else {
            globs.add(glob(at, texts));
        }
        if (globs.isEmpty()) {
            throw new PolicyException(at + " allows no value at all; add a pattern, or leave the tool out");
        }
        return new ArgumentPattern(pointer, globs);
    }

    /** {@code [{"agents": PATTERN, "tools": PATTERN, LIMIT: NUMBER, …}]}; without a pattern all are meant. */
    static List<Quota> quotas(String place, JsonValue value) {
        List<Quota> quotas = new ArrayList<>();
        elements(place, value, (at, quota) -> quotas.add(quota(at, quota)));
        return quotas;
    }

    private static Quota quota(String place, JsonValue value) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members(place, value, "{\"tools\":\"web__*\",\"callsPerMinute\":30}", members::put);
        Set<String> known = new HashSet<>(LIMITS);
        known.addAll(Set.of("agents", "tools"));
        requireKnown(place, members.keySet(), known);
        if (members.keySet().stream().noneMatch(LIMITS::contains)) {
            throw new PolicyException(place + " limits nothing; add one of "
                    + String.join(", ", LIMITS.stream().sorted().toList()));
        }
        JsonValue agents = members.get("agents");
        JsonValue tools = members.get("tools");
        return new Quota(
                agents == null ? Glob.of("**") : glob(place + "/agents", agents),
                tools == null ? Glob.of("**") : glob(place + "/tools", tools),
                limit(place, members, "callsPerMinute", 1_000_000),
                limit(place, members, "concurrentCalls", 1_000_000),
                limit(place, members, "pendingApprovals", 1_000_000),
                limit(place, members, "resultCharacters", 100_000_000),
                limit(place, members, "callSeconds", MAX_SECONDS));
    }

    private static @Nullable Integer limit(String place, Map<String, JsonValue> members, String name, int most) {
        JsonValue value = members.get(name);
        if (value == null) {
            return null;
        }
        String digits = value.is(Kind.NUMBER) ? value.spelling() : "";
        boolean isWhole =
                !digits.isEmpty() && digits.length() <= 9 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = isWhole ? Integer.parseInt(digits) : 0;
        if (number < 1 || number > most) {
            throw new PolicyException(place + "/" + name + " is no whole number from 1 to " + most);
        }
        return number;
    }

    private static Glob glob(String place, JsonValue value) {
        if (!value.is(Kind.STRING)) {
            throw new PolicyException(place + " is no text; write a pattern, in which * and ** stand for any text");
        }
        return glob(place, value.string());
    }

    private static Glob glob(String place, String pattern) {
        try {
            return Glob.of(pattern);
        } catch (IllegalArgumentException e) {
            throw new PolicyException(place + " " + e.getMessage());
        }
    }

    private static void members(String place, JsonValue value, String example, BiConsumer<String, JsonValue> visitor) {
        if (!value.is(Kind.OBJECT)) {
            throw new PolicyException(place + " is not an object; write " + example);
        }
        Set<String> seen = new HashSet<>();
        value.forEachMember((name, member) -> {
            if (!seen.add(name.string())) {
                throw new PolicyException(place + "/" + name.string() + " appears twice; keep one");
            }
            visitor.accept(name.string(), member);
        });
    }

    private static void elements(String place, JsonValue value, BiConsumer<String, JsonValue> visitor) {
        if (!value.is(Kind.ARRAY)) {
            throw new PolicyException(place + " is not an array; put it into [ ]");
        }
        int index = 0;
        for (JsonValue element : value.elements()) {
            visitor.accept(place + "/" + index++, element);
        }
    }

    private static void requireKnown(String place, Set<String> names, Set<String> known) {
        if (!known.containsAll(names)) {
            throw new PolicyException(place + " has an unknown member; it may have "
                    + String.join(", ", known.stream().sorted().toList()));
        }
    }
}
