package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class StderrReaderTest {
    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 5);
    private final List<String> lines = new ArrayList<>();
    private final StderrReader reader = new StderrReader(
            ConnectionLimits.standard(), nanoTime::get, line -> lines.add(new String(line, StandardCharsets.US_ASCII)));

    @Test
    void aFloodIsCountedAndWhatComesLaterPasses() throws IOException {
        read("line\n".repeat(1500));
        assertThat(lines).hasSize(1001).last().isEqualTo("[500 lines dropped]");
        nanoTime.addAndGet(20_000_000);
        read("three\nmore\nlines\n");
        assertThat(lines.subList(1001, lines.size())).containsExactly("three", "more", "[1 lines dropped]");
    }

    @Test
    void longLinesAreCutAndEmptyOnesAndTheLastPass() throws IOException {
        read("a\r\n\n" + "z".repeat(9000) + "\nend");
        assertThat(lines).containsExactly("a", "", "z".repeat(8192), "end");
    }

    private void read(String text) throws IOException {
        reader.readAll(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    }
}
