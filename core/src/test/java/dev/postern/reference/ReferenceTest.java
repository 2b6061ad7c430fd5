package dev.postern.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postern.reference.Reference.Kind;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** R1, R2, S7: what a reference is, and how it is written back. */
class ReferenceTest {
    private static final String ID = "6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e5";

    @ParameterizedTest
    @CsvSource({
        "{{vault:x}},{{vault:x}},{{vault:x}}",
        "{{VAULT:a-b.c_9}},{{vault:a-b.c_9}},{{vault:a-b.c_9}}",
        "{{vault:x#password}},{{vault:x}},{{vault:x}}",
        "{{vault:x#username}},{{vault:x#username}},{{vault:x#username}}",
        "{{vault:x#notes|base64|uri}},{{vault:x#notes|base64|uri}},{{vault:x#notes}}",
        "{{vault:x|json|shell|basic}},{{vault:x|json|shell|basic}},{{vault:x}}",
        "{{vault:x.password}},{{vault:x.password}},{{vault:x.password}}",
        "{{secret:6F1D2C3E-4b5a-4c6d-8e7f-90a1b2c3d4e5}},{{secret:ID.password}},[secret:ID.password]",
        "{{Secret:6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e5.notes|uri}},{{secret:ID.notes|uri}},[secret:ID.notes]",
    })
    @DisplayName("R1 R2 S7 a reference has one canonical form, and its placeholder shows no filters")
    void canonicalFormAndPlaceholder(String text, String canonical, String placeholder) {
        Reference reference = Reference.parse(text);
        assertThat(reference.canonical()).isEqualTo(canonical.replace("ID", ID));
        assertThat(reference).hasToString(reference.canonical());
        assertThat(reference.placeholder()).isEqualTo(placeholder.replace("ID", ID));
        assertThat(Reference.parse(reference.canonical())).isEqualTo(reference);
        assertThat(reference.withoutFilters().filters()).isEmpty();
        assertThat(reference.withoutFilters().placeholder()).isEqualTo(reference.placeholder());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{{",
                "{{vault",
                "{{vault:",
                "{{vault:}}",
                "{{vault:x",
                "{{vault:x}",
                "{vault:x}",
                "{{vault:x}} ",
                " {{vault:x}}",
                "{{vault:x}}{{vault:y}}",
                "{{ vault:x}}",
                "{{vault :x}}",
                "{{vault: x}}",
                "{{vault:x }}",
                "{{vault:X}}",
                "{{vault:é}}",
                "{{vault:x#}}",
                "{{vault:x#Username}}",
                "{{vault:x#url}}",
                "{{vault:x|}}",
                "{{vault:x|URI}}",
                "{{vault:x|uri|}}",
                "{{vault:x||uri}}",
                "{{vault:x|uri#notes}}",
                "{{vault:x/y}}",
                "{{vault:{{vault:x}}}}",
                "{{other:x}}",
                "{{ſecret:6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e5}}",
                "{{secret:}}",
                "{{secret:6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e}}",
                "{{secret:6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e55}}",
                "{{secret:6f1d2c3e4b5a4c6d8e7f90a1b2c3d4e5}}",
                "{{secret:6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e5.}}",
                "{{secret:6f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e5#notes}}",
                "{{secret:6f1d2c3g-4b5a-4c6d-8e7f-90a1b2c3d4e5}}",
                "{{secret:６f1d2c3e-4b5a-4c6d-8e7f-90a1b2c3d4e5}}",
                "{{vault:x|uri|uri|uri|uri|uri|uri|uri|uri|uri}}"
            })
    @DisplayName("R1 R2 R4 nothing else is one, and the refusal does not quote it")
    void nothingElse(String text) {
        ReferenceException refused = catchThrowableOfType(ReferenceException.class, () -> Reference.parse(text));
        assertThat(refused).isNotNull();
        assertThat(refused.code()).isEqualTo(ReferenceException.Code.SECRET_UNRESOLVED);
        assertThat(refused.pointer()).isEmpty();
        assertThat(refused.offset()).isBetween(0, text.length());
        assertThat(refused.offset() + refused.length()).isBetween(0, text.length());
        assertThat(refused.getStackTrace()).isEmpty();
    }

    @Test
    @DisplayName("R1 a name is 1 to 64 characters")
    void nameLength() {
        assertThat(Reference.parse("{{vault:" + "a".repeat(64) + "}}").name()).hasSize(64);
        assertThatThrownBy(() -> Reference.parse("{{vault:" + "a".repeat(65) + "}}"))
                .isInstanceOf(ReferenceException.class)
                .hasMessage("the name is longer than 64 characters (at the top, offset 0, length 75)");
    }

    @Test
    @DisplayName("R1 references made in code keep the grammar too")
    void madeInCode() {
        assertThat(new Reference(Kind.SECRET, ID.toUpperCase(java.util.Locale.ROOT), Field.NOTES, List.of())
                        .canonical())
                .isEqualTo("{{secret:" + ID + ".notes}}");
        assertThatThrownBy(() -> new Reference(Kind.VAULT, "A", Field.NOTES, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Reference(Kind.VAULT, "", Field.NOTES, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Reference(Kind.SECRET, "x", Field.NOTES, List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> new Reference(Kind.VAULT, "x", Field.NOTES, java.util.Collections.nCopies(9, Filter.URI)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
