package dev.postern.detect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References, and what stands in a value's place, name a secret and are none: they stay as they are (L1, S7). */
class ReferencesTest {
    private final ResponseSanitizer sanitizer = ResponseSanitizer.withDefaultRules();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{vault:db}}",
                "{{vault:db#username|uri}}",
                "{{secret:d77d5e50-3ad1-339f-985a-c494268b351b}}",
                "{{SECRET:D77D5E50-3AD1-339F-985A-C494268B351B.password|base64}}",
                "[secret:d77d5e50-3ad1-339f-985a-c494268b351b.password]",
                "[REDACTED:env_variable]"
            })
    @DisplayName("wherever a secret would stand")
    void stay(String reference) {
        for (String text : new String[] {
            "%s",
            "password=%s",
            "export API_TOKEN=%s",
            "Authorization: Bearer %s",
            "{\"password\":\"%s\"}",
            "{\"text\":\"the secret: %s, and SECRET_KEY=%s\"}",
            "postgres://app:%s@db.example.com/app"
        }) {
            assertThat(sanitizer.scanAndMask(text.replace("%s", reference)).text())
                    .isEqualTo(text.replace("%s", reference));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret: d77d5e50-3ad1-339f-985a-c494268b351b",
                "secret:d77d5e50-3ad1-339f-985a-c494268b351b",
                "{secret:d77d5e50-3ad1-339f-985a-c494268b351b}",
                "{{secret:aV3ryG00dPassw0rd-2f9}}"
            })
    @DisplayName("and what only resembles one does not")
    void otherwise(String text) {
        assertThat(sanitizer.scanAndMask(text).text()).contains("[REDACTED:");
    }
}
