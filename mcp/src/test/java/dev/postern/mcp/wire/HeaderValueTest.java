package dev.postern.mcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of 2026-07-28, Streamable HTTP, "Value Encoding". */
final class HeaderValueTest {
    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "us-west1,us-west1",
                "a b\tc,a b\tc",
                "'',''",
                "'Hello, \u4e16\u754c',=?base64?SGVsbG8sIOS4lueVjA==?=",
                "' padded ',=?base64?IHBhZGRlZCA=?=",
                "'line1\nline2',=?base64?bGluZTEKbGluZTI=?=",
                "=?base64?literal?=,=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
                "=?BASE64?x?=,=?BASE64?x?="
            })
    void textIsEncodedWhereItMustBe(String text, String header) {
        assertThat(HeaderValue.encode(text)).isEqualTo(header);
        assertThat(HeaderValue.decode(header)).isEqualTo(text);
    }

    @Test
    void whatOnlyLooksEncodedIsNothing() {
        assertThat(HeaderValue.decode("=?base64?*?=")).isNull();
        assertThat(HeaderValue.decode("=?base64?SGVsbG8?=")).isNull();
    }

    @Property
    void everyTextComesBackAndNeedsPrintableAsciiOnly(@ForAll String text) {
        String wellFormed = new String(
                text.getBytes(java.nio.charset.StandardCharsets.UTF_8), java.nio.charset.StandardCharsets.UTF_8);
        String header = HeaderValue.encode(wellFormed);
        assertThat(header.chars()).allMatch(c -> (c >= ' ' && c <= '~') || c == '\t');
        assertThat(HeaderValue.decode(header)).isEqualTo(wellFormed);
    }
}
