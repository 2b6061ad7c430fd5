package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopLevelScanTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "{\"id\":7,\"result\":{}}|7|false|true",
                " {\"result\":{\"id\":1,\"a\":[{\"id\":2}]}, \"id\" : \"x-9\" }|x-9|false|true",
                "{\"result\":\"{\\\"id\\\":5}\",\"id\":6,|6|false|true",
                "{\"id\":8,\"method\":\"m\"|8|true|true",
                "{\"params\":{\"method\":\"m\"},\"id\":3}|3|false|true",
                "{\"id\":|-|false|true",
                "{\"result\":{|-|false|true",
                "id: 7, method|-|false|false",
                "[{\"id\":7}]|-|false|false",
                "]}{\"id\":7|-|false|false"
            })
    void theIdIsFoundWhereItIsOne(String text, String id, boolean method, boolean object) {
        TopLevelScan scan = TopLevelScan.of(text.getBytes(StandardCharsets.UTF_8));
        assertThat(scan.id()).isEqualTo(id);
        assertThat(scan.hasMethod()).isEqualTo(method);
        assertThat(scan.isObject()).isEqualTo(object);
    }

    @Test
    void aTokenWithoutEndTakesNoMemory() {
        TopLevelScan scan = new TopLevelScan();
        byte[] piece = "\"".concat("x".repeat(999)).getBytes(StandardCharsets.US_ASCII);
        scan.read("{\"id\":".getBytes(StandardCharsets.US_ASCII), 0, 6);
        for (int i = 0; i < 1001; i++) {
            scan.read(piece, i == 0 ? 0 : 1, piece.length);
        }
        scan.read("\"}".getBytes(StandardCharsets.US_ASCII), 0, 2);
        assertThat(scan.id()).hasSize(64);
    }
}
