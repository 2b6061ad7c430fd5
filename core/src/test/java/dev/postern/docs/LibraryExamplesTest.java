package dev.postern.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.detect.Finding;
import dev.postern.detect.ResponseSanitizer;
import dev.postern.detect.SanitizationResult;
import dev.postern.scrub.LiveSecret;
import dev.postern.scrub.Scrubber;
import dev.postern.secret.SecretValue;
import dev.postern.tool.ToolGuard;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LibraryExamplesTest {
    private static final byte[] VALUE_BYTES = "Tr0ub4dor&3".getBytes(StandardCharsets.UTF_8);

    @Test
    void scrubbing() {
        byte[] valueBytes = VALUE_BYTES.clone();
        byte[] jsonBytes = "{\"echo\":\"VHIwdWI0ZG9yJjM=\"}".getBytes(StandardCharsets.UTF_8);

        byte[] clean;
        try (SecretValue value = new SecretValue(valueBytes);
                Scrubber scrubber = Scrubber.of(java.util.List.of(new LiveSecret("{{vault:db}}", value)))) {
            clean = scrubber.scrub(jsonBytes); // ScrubFailedException: nothing is returned
        }

        assertThat(new String(clean, StandardCharsets.UTF_8)).isEqualTo("{\"echo\":\"{{vault:db}}\"}");
    }

    @Test
    void masking() {
        String modelReply = "{\"url\":\"postgres://app:pa55w0rd-of-db@db.internal/app\",\"ok\":true}";

        ResponseSanitizer sanitizer = ResponseSanitizer.withDefaultRules();
        SanitizationResult result = sanitizer.scanAndMask(modelReply);
        for (Finding finding : result.findings()) {
            System.out.println(finding.category() + " at line " + finding.line() + ", column " + finding.column());
        }

        assertThat(result.text())
                .startsWith("{\"url\":\"[REDACTED:connection_string]")
                .endsWith("\",\"ok\":true}");
    }

    @Test
    void guarding() {
        String answer;
        try (ToolGuard guard = ToolGuard.of((tool, reference) -> new SecretValue(VALUE_BYTES))) {
            answer = guard.call("login", "{\"password\":\"{{vault:db}}\"}", arguments -> "called with " + arguments);
        }

        assertThat(answer).isEqualTo("called with {\"password\":\"{{vault:db}}\"}");
    }
}
