package dev.postern.scrub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JsonValue;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import dev.postern.testkit.cases.ScrubCase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** S1 to S15 as data. Cases: cases/scrub.json, cases/scrub-forms.json. */
class ScrubCasesTest {
    static Stream<ScrubCase> cases() {
        return ScrubCase.all().stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aMessageComesOutAsTheCaseSays(ScrubCase scrubCase) {
        try (Scrubber scrubber = scrubber(scrubCase)) {
            byte[] input = scrubCase.input().getBytes(StandardCharsets.UTF_8);
            if (scrubCase.expectFailure() != null) {
                assertThatThrownBy(() -> scrubber.scrub(input))
                        .isInstanceOfSatisfying(
                                ScrubFailedException.class,
                                failure -> assertThat(failure.code()).isEqualTo(scrubCase.expectFailure()));
                return;
            }
            byte[] clean = scrubCase.text() ? scrubber.scrubText(input) : scrubber.scrub(input);
            String output = new String(clean, StandardCharsets.UTF_8);
            if (scrubCase.expect() != null) {
                assertThat(output).isEqualTo(scrubCase.expect());
            }
            for (String wanted : scrubCase.mustContain()) {
                assertThat(output).contains(wanted);
            }
            for (String forbidden : scrubCase.mustNotContain()) {
                assertThat(output).doesNotContain(forbidden);
            }
            if (!scrubCase.text()) {
                JsonValue.parse(clean);
            }
            if (scrubCase.input().equals(output)) {
                assertThat(clean).as("S11: what is clean is not copied").isSameAs(input);
            }
        }
    }

    private static Scrubber scrubber(ScrubCase scrubCase) {
        return Scrubber.of(live(scrubCase.secrets()), live(scrubCase.remembered()));
    }

    private static List<LiveSecret> live(List<ScrubCase.Secret> secrets) {
        return secrets.stream()
                .map(secret -> LiveSecret.of(
                        Reference.parse(secret.reference()),
                        new SecretValue(secret.value().getBytes(StandardCharsets.UTF_8))))
                .toList();
    }
}
