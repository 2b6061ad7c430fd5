package dev.postern.reference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JacksonOracle;
import dev.postern.secret.Reveal;
import dev.postern.secret.SecretValue;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R2: filters, each against another implementation of the same encoding. */
class FiltersTest {
    private static byte[] apply(List<Filter> filters, byte[] value, @Nullable String username) {
        try (SecretValue given = new SecretValue(value);
                SecretValue user = username == null ? null : new SecretValue(username.getBytes(UTF_8));
                SecretValue filtered = Filters.apply(filters, given, user)) {
            return filtered.reveal(Reveal.TO_DELIVER);
        }
    }

    private static String apply(String value, Filter... filters) {
        return new String(apply(List.of(filters), value.getBytes(UTF_8), "ann"), UTF_8);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "p@ss w/rd,URI,p%40ss%20w%2Frd",
                "AZaz09-._~,URI,AZaz09-._~",
                "é+%*!'(),URI,%C3%A9%2B%25%2A%21%27%28%29",
                "hunter2,BASE64,aHVudGVyMg==",
                "a\"b\\c,JSON,a\\\"b\\\\c",
                "it's,SHELL,'it'\\''s'",
                "`$(id) \"x\"`,SHELL,`'$(id) \"x\"'`",
                "hunter2,BASIC,YW5uOmh1bnRlcjI=",
            })
    @DisplayName("R2 each filter is the encoding it is named after")
    void encodings(String value, Filter filter, String expected) {
        assertThat(apply(value, filter)).isEqualTo(expected);
    }

    @Test
    @DisplayName("R2 filters chain from left to right")
    void chains() {
        assertThat(apply("p@ss", Filter.URI, Filter.BASE64)).isEqualTo("cCU0MHNz");
        assertThat(apply("p@ss", Filter.BASE64, Filter.URI)).isEqualTo("cEBzcw%3D%3D");
        assertThat(apply("x", Filter.URI, Filter.BASIC)).isEqualTo("YW5uOng=");
        assertThat(apply("é")).isEqualTo("é");
    }

    @Property
    void uriIsUndoneByTheJdk(@ForAll byte[] value) {
        String encoded = new String(apply(List.of(Filter.URI), value, null), UTF_8);
        assertThat(encoded).matches("([A-Za-z0-9._~-]|%[0-9A-F]{2})*");
        String latin1 = URLDecoder.decode(encoded, java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(latin1.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1))
                .isEqualTo(value);
    }

    @Property
    void uriKeepsAUrlWhole(@ForAll @StringLength(min = 1, max = 30) String value) {
        String valid = new String(value.getBytes(UTF_8), UTF_8);
        URI uri = URI.create("postgres://app:" + apply(valid, Filter.URI) + "@host/app");
        assertThat(uri.getHost()).isEqualTo("host");
        assertThat(uri.getUserInfo()).isEqualTo("app:" + valid);
    }

    @Property
    void base64AndBasicAreUndoneByTheJdk(@ForAll byte[] value) {
        assertThat(Base64.getDecoder().decode(apply(List.of(Filter.BASE64), value, null)))
                .isEqualTo(value);
        byte[] pair = Base64.getDecoder().decode(apply(List.of(Filter.BASIC), value, "ann"));
        assertThat(pair).startsWith("ann:".getBytes(UTF_8)).endsWith(value).hasSize(4 + value.length);
    }

    @Property
    void jsonIsUndoneByAParser(@ForAll @StringLength(max = 30) String value) {
        String valid = new String(value.getBytes(UTF_8), UTF_8);
        assertThat(JacksonOracle.read('"' + apply(valid, Filter.JSON) + '"')
                        .get(0)
                        .text())
                .isEqualTo(valid);
    }

    @Property(tries = 40)
    void shellIsOneWordToAShell(@ForAll @Size(max = 200) byte[] value) throws IOException, InterruptedException {
        byte[] word = new byte[value.length];
        for (int i = 0; i < value.length; i++) {
            word[i] = value[i] == 0 ? (byte) '\'' : value[i];
        }
        assertThat(printedByShell(apply(List.of(Filter.SHELL), word, null))).isEqualTo(word);
    }

    @Test
    @DisplayName("R2 what a shell would act on is only text")
    void shellActsOnNothing() throws IOException, InterruptedException {
        String hostile = "'; echo pwned; ' $(id) `id` \"$HOME\" \\ \n -n % * ~ ! '' '";
        byte[] quoted = apply(hostile, Filter.SHELL).getBytes(UTF_8);
        assertThat(printedByShell(quoted)).asString(UTF_8).isEqualTo(hostile);
    }

    /** What {@code printf %s} prints for the word. The script is read from standard input, so any byte can be in it. */
    private static byte[] printedByShell(byte[] word) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh").start();
        try (var script = shell.getOutputStream()) {
            script.write("printf %s ".getBytes(UTF_8));
            script.write(word);
            script.write('\n');
        }
        byte[] printed = shell.getInputStream().readAllBytes();
        assertThat(shell.waitFor()).isZero();
        return printed;
    }

    @Test
    @DisplayName("R2 R6 a filter that cannot take the value refuses, and says why without it")
    void refusals() {
        byte[] notText = {'a', (byte) 0xFF};
        assertThatThrownBy(() -> apply(List.of(Filter.JSON), notText, null))
                .isInstanceOf(ReferenceException.class)
                .hasMessage("the json filter takes text, and the value is not UTF-8");
        assertThatThrownBy(() -> apply(List.of(Filter.SHELL), new byte[] {'a', 0}, null))
                .hasMessage("the value holds a NUL, which no shell word can");
        assertThatThrownBy(() -> apply(List.of(Filter.BASIC), notText, null))
                .hasMessage("the basic filter needs a username, and the secret has none");
        assertThatThrownBy(() -> apply(List.of(Filter.BASIC), notText, "")).isInstanceOf(ReferenceException.class);
        assertThatThrownBy(() -> apply(List.of(Filter.BASIC), notText, "a:b"))
                .hasMessage("the username holds a colon, which the basic filter cannot take");
        byte[] quotes = "'".repeat(8192).getBytes(UTF_8);
        assertThatThrownBy(() -> apply(Collections.nCopies(8, Filter.SHELL), quotes, null))
                .hasMessage("a filter makes the value longer than it may be");
    }

    @Test
    @DisplayName("the value given stays its owner's, and what is returned is another")
    void ownership() {
        SecretValue value = new SecretValue("x".getBytes(UTF_8));
        SecretValue copy = Filters.apply(List.of(), value, null);
        value.close();
        assertThat(copy.reveal(Reveal.TO_DELIVER)).asString(UTF_8).isEqualTo("x");
        copy.close();
    }
}
