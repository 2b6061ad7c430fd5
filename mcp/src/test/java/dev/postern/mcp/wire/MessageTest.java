package dev.postern.mcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.json.JsonValue;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}|REQUEST",
                "{\"method\":\"m\",\"params\":[1],\"jsonrpc\":\"2.0\"}|NOTIFICATION",
                "{\"result\":null,\"id\":\"a\",\"jsonrpc\":\"2.0\"}|RESULT",
                "{\"jsonrpc\":\"\\u0032.0\",\"\\u0069d\":null,\"error\":{}}|ERROR",
                "{\"jsonrpc\":\"2.0\",\"error\":{}}|ERROR"
            })
    void kindsAreToldApart(String text, Message.Type type) {
        assertThat(parse(text).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"jsonrpc\":\"2.0\"}",
                "{\"jsonrpc\":2.0,\"method\":\"m\"}",
                "{\"method\":\"m\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":7}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":null}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":{}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"result\":1}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"\\u0069d\":2,\"result\":1}",
                "{\"jsonrpc\":\"2.0\",\"jsonrpc\":\"2.0\",\"method\":\"m\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"method\":\"b\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{},\"params\":{}}"
            })
    void whatTwoReadersCouldReadDifferentlyIsRefused(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void anIdIsReplacedOrPutInAndNothingElseChanges() {
        assertThat(text(parse(" {\"x\" : 1.0,\"id\" : \"a\" ,\"jsonrpc\":\"2.0\",\"result\":{\"id\":2}} ")
                        .withId(bytes("17"))))
                .isEqualTo(" {\"x\" : 1.0,\"id\" : 17 ,\"jsonrpc\":\"2.0\",\"result\":{\"id\":2}} ");
        assertThat(text(parse(" { \"jsonrpc\":\"2.0\",\"error\":{}}").answering(bytes("\"\u00e9\""))))
                .isEqualTo(" {\"id\":\"\u00e9\", \"jsonrpc\":\"2.0\",\"error\":{}}");
    }

    @Test
    void ourOwnMessagesAreMessages() {
        assertThat(text(JsonRpc.request(bytes("1"), "m\"", bytes("{ }"))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\\\"\",\"params\":{ }}");
        assertThat(text(JsonRpc.notification("m", null))).isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}");
        assertThat(text(JsonRpc.result(bytes("\"a\""), bytes("[1.0]"))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":[1.0]}");
        assertThat(text(JsonRpc.error(null, -1, "no", null)))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1,\"message\":\"no\"}}");
        assertThat(text(JsonRpc.error(JsonValue.parse(bytes("1e0")), -1, "no", bytes("{}"))))
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1e0,\"error\":{\"code\":-1,\"message\":\"no\",\"data\":{}}}");
    }

    private static Message parse(String text) {
        return Message.parse(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
