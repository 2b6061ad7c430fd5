package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LineReaderTest {
    @Test
    void linesAreTheSameWhereverReadsEnd() throws IOException {
        String text = "first\r\n\n\r\n{\"result\":\"" + "x".repeat(90) + "\",\"id\":42}\n" + "y".repeat(50) + "\nlast";
        List<String> expected = List.of("first", "oversized 42", "y".repeat(50), "last");
        for (int size = 1; size <= text.length(); size++) {
            assertThat(read(text, size, 50)).as("reads of %d bytes", size).isEqualTo(expected);
        }
    }

    @Test
    void aLineAsLongAsTheLimitIsKeptAndOneLongerIsNot() throws IOException {
        assertThat(read("1234\n12345\n123\n", 3, 4)).containsExactly("1234", "oversized null", "123");
    }

    private static List<String> read(String text, int size, int limit) throws IOException {
        List<String> lines = new ArrayList<>();
        InputStream dripping = new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)) {
            @Override
            public synchronized int read(byte[] buffer) {
                return super.read(buffer, 0, Math.min(size, buffer.length));
            }
        };
        new LineReader(dripping, limit).readAll(new LineReader.Sink() {
            @Override
            public void line(byte[] line) {
                lines.add(new String(line, StandardCharsets.US_ASCII));
            }

            @Override
            public void oversized(TopLevelScan scan) {
                lines.add("oversized " + scan.id());
            }
        });
        return lines;
    }
}
