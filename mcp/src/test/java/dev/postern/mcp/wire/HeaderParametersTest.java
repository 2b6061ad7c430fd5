package dev.postern.mcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HeaderParametersTest {
    private static final HeaderParameters PARAMETERS = HeaderParameters.of(json("""
            {"type":"object","properties":{
              "region":{"type":"string","x-mcp-header":"Region"},
              "x-mcp-header":{"type":"string"},
              "query":{"type":"string","default":{"x-mcp-header":1}},
              "page":{"type":"integer","x-mcp-header":"Page"},
              "inner":{"type":"object","properties":{"dry":{"type":"boolean","x-mcp-header":"Dry-Run"}}}}}"""));

    @Test
    void markedParametersBecomeHeaders() {
        assertThat(PARAMETERS.isValid()).isTrue();
        assertThat(PARAMETERS.headers(
                        json("{\"region\":\"\\u4e16\",\"query\":\"q\",\"page\":4.2e1,\"inner\":{\"dry\":true}}")))
                .isEqualTo(Map.of(
                        "Mcp-Param-Region", "=?base64?5LiW?=", "Mcp-Param-Page", "42", "Mcp-Param-Dry-Run", "true"));
    }

    @Test
    void whatIsAbsentNullOrOfNoPlainTypeHasNoHeader() {
        assertThat(PARAMETERS.headers(json("{\"region\":null,\"page\":1.5,\"inner\":[]}")))
                .isEmpty();
        assertThat(PARAMETERS.headers(json("{\"page\":9007199254740992,\"region\":{}}")))
                .isEmpty();
        assertThat(PARAMETERS.headers(null)).isEmpty();
        assertThat(HeaderParameters.of(null).isEmpty()).isTrue();
    }

    /** Streamable HTTP, "Server Behavior for Custom Headers". */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"region\":\"here\"};region;here",
                "{\"region\":\"here\"};region;=?base64?aGVyZQ==?=",
                "{\"region\":\"aGVyZQ==\"};region;aGVyZQ==",
                "{\"page\":42};page;42.0",
                "{\"inner\":{\"dry\":true}};dry-run;true",
                "{\"region\":null};other;x",
                "{};other;x"
            })
    void headersThatSayWhatTheArgumentsSayAgree(String arguments, String name, String header) {
        assertThat(PARAMETERS.mismatch(json(arguments), Map.of(name, header))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"region\":\"here\"};region;there;Mcp-Param-Region",
                "{\"region\":\"here\"};region;=?base64?aGVyZQ?=;Mcp-Param-Region",
                "{\"region\":\"here\"};region;=?base64?aGV!!!yZQ==?=;Mcp-Param-Region",
                "{\"region\":\"here\"};other;x;Mcp-Param-Region",
                "{\"region\":null};region;here;Mcp-Param-Region",
                "{};page;1;Mcp-Param-Page",
                "{\"page\":42};page;43;Mcp-Param-Page",
                "{\"inner\":{\"dry\":true}};dry-run;TRUE;Mcp-Param-Dry-Run"
            })
    void aHeaderThatSaysSomethingElseOrIsMissingIsNamed(String arguments, String name, String header, String named) {
        assertThat(PARAMETERS.mismatch(json(arguments), Map.of(name, header))).isEqualTo(named);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}}",
                "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}}}",
                "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a\\nb\"}}}",
                "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":7}}}",
                "{\"properties\":{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}}",
                "{\"properties\":{\"a\":{\"x-mcp-header\":\"A\"}}}",
                "{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}}",
                "{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}}",
                "{\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}]}",
                "{\"$defs\":{\"d\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}},\"properties\":{\"a\":{\"$ref\":\"#/$defs/d\"}}}"
            })
    void aMarkWhereNoneMayStandSpoilsTheTool(String schema) {
        HeaderParameters parameters = HeaderParameters.of(json(schema));
        assertThat(parameters.isValid()).isFalse();
        assertThat(parameters.headers(json("{\"a\":\"x\"}"))).isEmpty();
    }

    private static JsonValue json(String text) {
        return JsonValue.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
