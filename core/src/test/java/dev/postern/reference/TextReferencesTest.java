package dev.postern.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R10: references in configuration. */
class TextReferencesTest {
    private static String substitute(String text, String value) {
        try (SecretValue given = new SecretValue(value.getBytes(UTF_8));
                SecretValue whole = TextReferences.substitute(text, reference -> given)) {
            return new String(whole.reveal(Reveal.TO_DELIVER), UTF_8);
        }
    }

    @Test
    @DisplayName("R9 R10 values stand where references stood, and are not scanned")
    void substitutes() {
        String text = "é {{vault:x}}/{{vault:y}}{{ other }}";
        assertThat(TextReferences.find(text)).extracting(Reference::name).containsExactly("x", "y");
        assertThat(substitute(text, "{{vault:z}}\"")).isEqualTo("é {{vault:z}}\"/{{vault:z}}\"{{ other }}");
        assertThat(substitute("{{vault:x}}", "")).isEmpty();
        assertThat(substitute("plain", "v")).isEqualTo("plain");
        assertThat(TextReferences.find("plain")).isEmpty();
    }

    @Test
    @DisplayName("R4 R10 a malformed reference is refused; a backslash is a backslash")
    void refuses() {
        ReferenceException refused = catchThrowableOfType(
                ReferenceException.class, () -> TextReferences.find("a {{vault:x}} {{vault:X}} {{vault:y}}"));
        assertThat(refused.offset()).isEqualTo(14);
        assertThat(refused.length()).isEqualTo(11);
        assertThat(catchThrowableOfType(ReferenceException.class, () -> substitute("{{secret:x", "v")))
                .isNotNull();
        assertThat(TextReferences.find("\\u007b\\u007bvault:x}}")).isEmpty();
    }
}
