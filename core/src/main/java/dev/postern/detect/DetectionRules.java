package dev.postern.detect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link SecretDetector} looks for: the rules of a file, compiled, and the list of what is found and let be. The
 * format is described in docs/detection.md. Immutable and thread-safe; compiling takes milliseconds, so make one and
 * keep it.
 */
public final class DetectionRules {
    private static final String DEFAULTS = "rules.json";

    private final String version;
    private final Map<String, Rule> rules;
    private final AllowList allowed;
    private final PatternParser.Memories memories;
    private final Engine engine;

    private DetectionRules(
            String version, Map<String, Rule> rules, AllowList allowed, PatternParser.Memories memories) {
        this.version = version;
        this.rules = rules;
        this.allowed = allowed;
        this.memories = memories;
        this.engine = new Engine(List.copyOf(rules.values()), memories.count());
    }

    /** The rules that come with the library. */
    public static DetectionRules defaults() {
        return Defaults.RULES;
    }

    /**
     * The default rules with a user's file on top: its rules are added, or replace the one of the same name; a rule
     * marked {@code disabled} is left out; its allow list is added.
     *
     * @param json the rule file, UTF-8
     * @throws RuleFileException if it cannot be used; names the rule and the mistake
     */
    public static DetectionRules load(byte[] json) {
        return defaults().with(json);
    }

    /** These rules with another file on top; see {@link #load(byte[])}. */
    public DetectionRules with(byte[] json) {
        PatternParser.Memories grown = memories.copy();
        RuleFile file = RuleFile.parse(json, grown);
        Map<String, Rule> merged = new LinkedHashMap<>(rules);
        for (Rule rule : file.rules()) {
            merged.put(rule.name(), rule);
        }
        merged.keySet().removeAll(file.disabled());
        String named = file.version() == null ? version : file.version();
        return new DetectionRules(named, merged, allowed.and(file.allowed()), grown);
    }

    /** The version of these rules: the default file's, or that of the last file on top that names one. */
    public String version() {
        return version;
    }

    /** How many kinds of credentials the rules know. */
    public int size() {
        return rules.size();
    }

    /** The rules' names, in order. */
    public List<String> names() {
        return List.copyOf(rules.keySet());
    }

    /** One rule of these, alone. */
    DetectionRules only(String name) {
        Rule rule = rules.get(name);
        if (rule == null) {
            throw new IllegalArgumentException("there is no rule " + name);
        }
        return new DetectionRules(version, Map.of(name, rule), allowed, memories);
    }

    Engine engine() {
        return engine;
    }

    AllowList allowed() {
        return allowed;
    }

    /** Read on first use. */
    private static final class Defaults {
        static final DetectionRules RULES = read();

        private static DetectionRules read() {
            PatternParser.Memories memories = new PatternParser.Memories();
            DetectionRules none = new DetectionRules("0", Map.of(), AllowList.EMPTY, memories);
            try (InputStream in = DetectionRules.class.getResourceAsStream(DEFAULTS)) {
                if (in == null) {
                    throw new IllegalStateException("the default rules are missing from the library");
                }
                return none.with(in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException("the default rules cannot be read", e);
            }
        }
    }
}
