package dev.postern.gate.policy;

import dev.postern.gate.policy.Policy.Rule;
import dev.postern.gate.policy.Policy.SecretBearingCalls;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a policy document: one JSON object with the members {@code secretBearingCalls}, {@code secretReferencesEnabled},
 * {@code resultScrubbingEnabled}, {@code servers}, {@code tools}, {@code agents} and {@code quotas}, each optional. Strict: an unknown or repeated member
 * is an error, because a misspelt rule that is silently dropped would allow what its author denied.
 */
public final class PolicyDocument {
    /** The default, as {@code policy show} prints it before anything was applied. */
    public static final String DEFAULT = """
            {
              "secretBearingCalls": "ASK",
              "secretReferencesEnabled": true,
              "resultScrubbingEnabled": true,
              "servers": {},
              "tools": {}
            }
            """;

    private PolicyDocument() {}

    /**
     * Reads a document.
     *
     * @throws PolicyException if the document is not a policy; the message names place and remedy
     */
    public static Policy parse(long revision, byte[] document) {
        JsonValue root;
        try {
            root = JsonValue.parse(document);
        } catch (JsonException e) {
            throw new PolicyException("the policy is not valid JSON: " + e.getMessage());
        }
        if (!root.is(Kind.OBJECT)) {
            throw new PolicyException("the policy is not a JSON object; write {\"secretBearingCalls\":\"ASK\"}");
        }
        Reading reading = new Reading();
        root.forEachMember(reading::member);
        return new Policy(
                revision,
                true,
                reading.calls,
                reading.references,
                reading.scrubbing,
                reading.servers,
                reading.tools,
                reading.agents,
                reading.quotas);
    }

    private static final class Reading {
        private final Set<String> seen = new HashSet<>();
        private SecretBearingCalls calls = SecretBearingCalls.ASK;
        private boolean references = true;
        private boolean scrubbing = true;
        private Map<String, Rule> servers = Map.of();
        private Map<String, Rule> tools = Map.of();
        private List<AgentRules> agents = List.of();
        private List<Quota> quotas = List.of();

        void member(JsonValue nameToken, JsonValue value) {
            String name = nameToken.string();
            if (!seen.add(name)) {
                throw new PolicyException("/" + name + " appears twice; keep one");
            }
            switch (name) {
                case "secretBearingCalls" -> calls = choice("/" + name, value, SecretBearingCalls.class);
                case "secretReferencesEnabled" -> references = flag("/" + name, value);
                case "resultScrubbingEnabled" -> scrubbing = flag("/" + name, value);
                case "servers" -> servers = rules("/" + name, value);
                case "tools" -> tools = rules("/" + name, value);
                case "agents" -> agents = RuleReader.agents("/" + name, value);
                case "quotas" -> quotas = RuleReader.quotas("/" + name, value);
                default ->
                    throw new PolicyException(
                            "at byte " + nameToken.start() + ", an unknown member; a policy has secretBearingCalls, "
                                    + "secretReferencesEnabled, resultScrubbingEnabled, servers, tools, agents and quotas");
            }
        }

        private static Map<String, Rule> rules(String place, JsonValue value) {
            if (!value.is(Kind.OBJECT)) {
                throw new PolicyException(place + " is not an object; write {\"name\":\"ALLOW|ASK|DENY\"}");
            }
            Map<String, Rule> rules = new LinkedHashMap<>();
            value.forEachMember((name, rule) -> {
                String key = name.string();
                if (rules.put(key, choice(place + "/" + key, rule, Rule.class)) != null) {
                    throw new PolicyException(place + "/" + key + " appears twice; keep one");
                }
            });
            return Map.copyOf(rules);
        }

        private static boolean flag(String place, JsonValue value) {
            return switch (value.kind()) {
                case TRUE -> true;
                case FALSE -> false;
                default -> throw new PolicyException(place + " is neither true nor false");
            };
        }

        private static <E extends Enum<E>> E choice(String place, JsonValue value, Class<E> type) {
            if (value.is(Kind.STRING)) {
                for (E choice : type.getEnumConstants()) {
                    if (choice.name().equals(value.string())) {
                        return choice;
                    }
                }
            }
            String choices =
                    Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
            throw new PolicyException(place + " is none of " + choices);
        }
    }
}
