package dev.postern.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.json.JsonValue;
import dev.postern.testkit.cases.ReferenceCase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** R1 to R7, by the cases in references.json. */
class ReferenceCasesTest {
    static List<ReferenceCase> cases() {
        return ReferenceCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    @DisplayName("R1-R7 every case has its references, or its refusal")
    void findsOrRefuses(ReferenceCase referenceCase) {
        byte[] json = referenceCase.input().getBytes(StandardCharsets.UTF_8);
        JsonValue arguments = JsonValue.parse(json);
        if (referenceCase.refusal() == null) {
            assertThat(ReferenceFinder.find(arguments, ReferenceLimits.defaults()))
                    .extracting(placement ->
                            placement.pointer() + " " + placement.reference().canonical())
                    .containsExactlyElementsOf(referenceCase.references());
        } else {
            ReferenceException refused = catchThrowableOfType(
                    ReferenceException.class, () -> ReferenceFinder.find(arguments, ReferenceLimits.defaults()));
            assertThat(refused).isNotNull();
            assertThat(refused.code()).hasToString(referenceCase.refusal());
        }
    }
}
