package dev.postern.gate.vault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P9: a host is told only where every reader of the URL agrees on it. */
class UrlHostTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "https://api.example.com/ api.example.com",
                "https://api.example.com api.example.com",
                "HTTPS://API.Example.COM/x api.example.com",
                "https://api.example.com:8443/x?y=1#z api.example.com",
                "https://api.example.com?x=1 api.example.com",
                "https://user:pw@api.example.com/@evil.example api.example.com",
                "https://api.example.com@evil.example/ evil.example",
                "https://api.example.com:443@evil.example/ evil.example",
                "https://evil.example/api.example.com evil.example",
                "https://evil.example/?https://api.example.com/ evil.example",
                "postgres://app:{{vault:db|uri}}@db.example.com/app db.example.com",
                "https://api.example.com/{{vault:path}}?k={{vault:key}} api.example.com",
                "http://127.0.0.1:8080/ 127.0.0.1",
                "http://[::1]:8080/ [::1]",
                "https://api.example.com./ api.example.com.",
            })
    void theHostIsTold(String url, String host) {
        assertThat(UrlHost.of(url)).contains(host);
    }

    @ParameterizedTest
    @DisplayName("P9: where two readers could go to two hosts, none is told")
    @ValueSource(
            strings = {
                "",
                "api.example.com",
                "/v1/users",
                "//api.example.com/",
                "https:api.example.com",
                "https:/api.example.com",
                "https:///api.example.com/",
                "https://",
                "https:///",
                "https://@/",
                "https://api.example.com\\@evil.example/",
                "https://api.example.com\\.evil.example/",
                "https://api.example.com?@evil.example/",
                "https://api.example.com#@evil.example/",
                "https://api.example.com\t.evil.example/",
                "https://api.example.com\n@evil.example/",
                " https://api.example.com/",
                "https://api.example.com /",
                "https://api.example.com%2eevil.example/",
                "https://api.example.com%00.evil.example/",
                "https://api.example.com\u3002evil.example/",
                "https://\u0430pi.example.com/",
                "https://a b@api.example.com/",
                "https://x\\@api.example.com/",
                "https://api.example.com:{{vault:port}}/",
                "https://{{vault:host}}/",
                "https://{{vault:sub}}.example.com/",
                "https://api.example.com{{vault:tail}}/",
                "{{vault:url}}",
                "{{vault:scheme}}://api.example.com/",
                "{{vault:base}}https://api.example.com/",
                "https://user:{{vault:db}}@api.example.com/",
                "https://user:{{vault:db|uri|base64}}@api.example.com/",
                "https://{{vault:a|uri}}{{vault:b}}@api.example.com/",
                "https://api.example.com:port/",
                "https://api.example.com:123456/",
                "https://[::1/",
                "file:///etc/passwd",
                "data:text/plain,x",
            })
    void theHostIsNotTold(String url) {
        assertThat(UrlHost.of(url)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "  https://evil.example",
                "\u00a0\ufeffhttps://evil.example",
                "ht\ttps://evil.example",
                "HTTPS:evil.example",
                "https:/evil.example",
                "//evil.example",
                "\\\\evil.example\\share",
                "/\\evil.example",
                "gopher://evil.example",
                "https://evil.example and text"
            })
    @DisplayName("P9: whatever some reader would take for an absolute URL counts as one")
    void anAbsoluteUrlIsSeen(String text) {
        assertThat(UrlHost.looksLikeUrl(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text", "see https://example.com", "/path", "a:b", "{{vault:x}}", "12:30", "C:\\x"})
    void othersAreNot(String text) {
        assertThat(UrlHost.looksLikeUrl(text)).isFalse();
    }
}
