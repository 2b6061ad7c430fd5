package dev.postern.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void writesEveryKindItNames() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("text", "a\"b\\c\n\u0001é");
        document.put("numbers", List.of(1, -2L, 0.5));
        document.put("truth", Arrays.asList(true, false, null));
        document.put("empty", List.of(Map.of(), List.of()));
        document.put("at", Instant.EPOCH);
        document.put("id", new UUID(0, 1));
        document.put("kind", JsonValue.Kind.OBJECT);
        assertThat(text(document))
                .isEqualTo("{\"text\":\"a\\\"b\\\\c\\n\\u0001é\",\"numbers\":[1,-2,0.5],\"truth\":[true,false,null],"
                        + "\"empty\":[{},[]],\"at\":\"1970-01-01T00:00:00Z\","
                        + "\"id\":\"00000000-0000-0000-0000-000000000001\",\"kind\":\"OBJECT\"}");
    }

    @Test
    void keepsTheBytesOfAJsonValue() {
        JsonValue odd = JsonValue.parse("{\"x\": 1e400, \"x\" :-0.0}".getBytes(StandardCharsets.UTF_8));
        assertThat(text(List.of(odd))).isEqualTo("[{\"x\": 1e400, \"x\" :-0.0}]");
    }

    @Test
    void refusesWhatHasNoJson() {
        assertThatThrownBy(() -> text(new ArrayList<>(List.of(new Object()))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> text(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String text(Object document) {
        return new String(JsonWriter.write(document), StandardCharsets.UTF_8);
    }
}
