package dev.postern.app.playground;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.Json;
import dev.postern.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaygroundTest {
    private final Playground playground = new Playground();

    @Test
    void shakesHandsInBothEras() {
        assertThat(Json.at(answer("initialize", "{\"protocolVersion\":\"2025-06-18\"}"), "result", "protocolVersion")
                        .string())
                .isEqualTo("2025-06-18");
        assertThat(Json.at(answer("server/discover", "{}"), "result", "supportedVersions")
                        .spelling())
                .isEqualTo("[\"2026-07-28\"]");
        assertThat(Json.at(answer("tools/list", "{}"), "result", "tools").elements())
                .hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo|{\"text\":\"a\\u00e9\\/ \"}|\"a\\u00e9\\/ \"",
                "sha256|{\"text\":\"abc\"}|\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"",
                "sha256|{\"text\":\"\\u0061bc\"}|\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"",
                "note_write|{\"name\":\"n\",\"text\":\"t\"}|\"The note is kept.\"",
            })
    void answersWithText(String tool, String arguments, String text) {
        JsonValue result = call(tool, arguments);
        assertThat(Json.at(Json.at(result, "content").elements().getFirst(), "text")
                        .spelling())
                .isEqualTo(text);
        assertThat(result.member("isError")).isNull();
    }

    @Test
    void keepsNotes() {
        call("note_write", "{\"name\":\"n\",\"text\":\"kept \\u0041\"}");
        assertThat(call("note_read", "{\"name\":\"n\"}").spelling()).contains("\"kept \\u0041\"");
        assertThat(Json.at(call("note_read", "{\"name\":\"other\"}"), "isError").spelling())
                .isEqualTo("true");
        assertThat(Json.at(call("echo", "{}"), "isError").spelling()).isEqualTo("true");
    }

    @Test
    void answersWhatItDoesNotKnowWithAnErrorAndNotificationsNotAtAll() {
        assertThat(Json.at(answer("resources/list", "{}"), "error", "code").spelling())
                .isEqualTo("-32601");
        assertThat(Json.at(answer("tools/call", "{\"name\":\"none\"}"), "error", "code")
                        .spelling())
                .isEqualTo("-32602");
        List<byte[]> answers = new ArrayList<>();
        playground.handle(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".getBytes(UTF_8), answers::add);
        assertThat(answers).isEmpty();
    }

    private JsonValue call(String tool, String arguments) {
        return Json.at(answer("tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}"), "result");
    }

    private JsonValue answer(String method, String params) {
        List<byte[]> answers = new ArrayList<>();
        String request = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":" + params + "}";
        playground.handle(request.getBytes(UTF_8), answers::add);
        assertThat(answers).hasSize(1);
        JsonValue answer = JsonValue.parse(answers.getFirst());
        assertThat(Json.at(answer, "id").spelling()).isEqualTo("7");
        return answer;
    }
}
