package dev.postern.detect;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/**
 * One text a rule must find something in, or must let pass. The recipes are in {@code examples.json}.
 *
 * @param rule the rule's name
 * @param template the recipe as it is in the file
 * @param found whether the rule finds something
 */
record RuleExample(String rule, String template, boolean found) {
    static List<RuleExample> all() {
        List<RuleExample> examples = new ArrayList<>();
        try (InputStream in = requireNonNull(RuleExample.class.getResourceAsStream("examples.json"))) {
            for (Object entry : JSON.std.listOfFrom(Object.class, in)) {
                Map<?, ?> members = (Map<?, ?>) entry;
                String rule = (String) requireNonNull(members.get("rule"));
                strings(members, "found").forEach(template -> examples.add(new RuleExample(rule, template, true)));
                strings(members, "passed").forEach(template -> examples.add(new RuleExample(rule, template, false)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return examples;
    }

    static List<RuleExample> toFind() {
        return all().stream().filter(RuleExample::found).toList();
    }

    static List<RuleExample> toPass() {
        return all().stream().filter(example -> !example.found).toList();
    }

    /** One text made after the recipe. */
    String text(int variant) {
        return new Template(template).fill(template.hashCode() * 31L + variant);
    }

    private static List<String> strings(Map<?, ?> members, String name) {
        return ((List<?>) requireNonNull(members.get(name)))
                .stream().map(String.class::cast).toList();
    }
}
