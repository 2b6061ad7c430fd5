package dev.postern.gate.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** V1: what is shown of a secret holds none. */
class WebsiteTest {
    @ParameterizedTest
    @CsvSource({
        "https://kim:hunter22@db.example:5432/path?token=abc#part, https://db.example:5432/path",
        "https://kim@db.example, https://db.example",
        "kim:hunter22@db.example, db.example",
        "https://a:b@c@db.example/, https://db.example/",
        "https://db.example/users/@kim, https://db.example/users/@kim",
        "https://db.example?next=a@b:c, https://db.example",
        "kim@example.com, kim@example.com",
        "db.example, db.example",
        "https://, https://"
    })
    @DisplayName("Of an export's address credentials, query and fragment are left out")
    void credentialsAreLeftOut(String website, String shown) {
        assertThat(Website.shown(website)).isEqualTo(shown);
        assertThat(Website.holdsCredentials(shown)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://kim:hunter22@db.example", "kim:hunter22@db.example", "ftp://kim@db.example/x"})
    void whatAPersonWritesWithCredentialsIsRefusedUnquoted(String website) {
        assertThatThrownBy(() -> Website.check(website))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("kim");
    }
}
