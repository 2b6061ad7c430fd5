package dev.postern.detect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** D1: every rule by its own examples, alone and among all others. */
class RuleExamplesTest {
    private static final int VARIANTS = 8;

    private final DetectionRules rules = DetectionRules.defaults();
    private final SecretDetector detector = SecretDetector.withDefaultRules();

    static List<RuleExample> found() {
        return RuleExample.toFind();
    }

    static List<RuleExample> passed() {
        return RuleExample.toPass();
    }

    @Test
    @DisplayName("there are at least 200 kinds, each with an example to find and one to let pass")
    void everyKindHasExamplesOfBothSorts() {
        assertThat(rules.size()).isGreaterThanOrEqualTo(200);
        assertThat(names(RuleExample.toFind())).isEqualTo(Set.copyOf(rules.names()));
        assertThat(names(RuleExample.toPass())).isEqualTo(Set.copyOf(rules.names()));
    }

    @ParameterizedTest
    @MethodSource("found")
    void aRuleFindsItsExamples(RuleExample example) {
        SecretDetector alone = SecretDetector.of(rules.only(example.rule()));
        for (int variant = 0; variant < VARIANTS; variant++) {
            String text = example.text(variant);
            assertThat(alone.scan(text)).as("alone, variant %d", variant).hasSize(1);
            Finding expected = alone.scan(text).get(0);
            assertThat(detector.scan(text))
                    .as("among all, variant %d", variant)
                    .anyMatch(finding -> finding.start() <= expected.start() && expected.end() <= finding.end());
        }
    }

    @ParameterizedTest
    @MethodSource("passed")
    void aRuleLetsItsCounterexamplesPass(RuleExample example) {
        SecretDetector alone = SecretDetector.of(rules.only(example.rule()));
        for (int variant = 0; variant < VARIANTS; variant++) {
            assertThat(alone.scan(example.text(variant)))
                    .as("variant %d", variant)
                    .isEmpty();
        }
    }

    private static Set<String> names(List<RuleExample> examples) {
        return examples.stream().map(RuleExample::rule).collect(Collectors.toSet());
    }
}
