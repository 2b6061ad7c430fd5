package dev.postern.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.testkit.cases.MaskCase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** D2 to D5. Cases: cases/mask.json. */
class MaskCasesTest {
    private final ResponseSanitizer sanitizer = ResponseSanitizer.withDefaultRules();

    static List<MaskCase> cases() {
        return MaskCase.all();
    }

    static List<MaskCase> jsonCases() {
        return MaskCase.all().stream().filter(MaskCase::validJson).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aMaskedTextHidesTheSecretAndKeepsTheRest(MaskCase maskCase) {
        assertThat(maskCase.complaints(sanitizer.scanAndMask(maskCase.input()).text()))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @DisplayName("D2: scan and scanAndMask report the same spans, and the spans are what is replaced")
    void scanAndMaskAgree(MaskCase maskCase) {
        SanitizationResult scanned = sanitizer.scan(maskCase.input());
        SanitizationResult masked = sanitizer.scanAndMask(maskCase.input());

        assertThat(masked.findings()).isEqualTo(scanned.findings());
        assertThat(scanned.text()).isEqualTo(maskCase.input());
        assertThat(masked.detectorVersion()).matches("\\d+\\.\\d+\\.\\d+.*");
        StringBuilder expected = new StringBuilder(maskCase.input());
        List<Finding> findings = scanned.findings();
        for (int i = findings.size() - 1; i >= 0; i--) {
            Finding finding = findings.get(i);
            expected.replace(finding.start(), finding.end(), "[REDACTED:" + finding.category() + "]");
        }
        assertThat(masked.text()).isEqualTo(expected.toString());
    }

    @ParameterizedTest
    @MethodSource("jsonCases")
    void aJsonMessageIsMaskedInPlace(MaskCase maskCase) {
        byte[] json = maskCase.input().getBytes(StandardCharsets.UTF_8);
        byte[] masked = JsonMasker.withDefaultRules().mask(json).json();

        assertThat(maskCase.complaints(new String(masked, StandardCharsets.UTF_8)))
                .isEmpty();
    }
}
