package dev.postern.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventStreamTest {
    private final List<String> events = new ArrayList<>();
    private final EventStream stream = new EventStream(100, new EventStream.Sink() {
        @Override
        public void event(String type, byte[] data) {
            events.add(type + "|" + new String(data, StandardCharsets.UTF_8));
        }

        @Override
        public void oversized(TopLevelScan scan) {
            events.add("oversized|" + scan.id());
        }
    });

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void eventsAreTheSameWhereverTheStreamIsCutAndHoweverLinesEnd(String lineEnd) {
        String text = String.join(
                lineEnd,
                "\ufeff: a comment",
                "data: {\"a\" : \"\u00e9\",",
                "data:  \"b\":1.0}",
                "",
                "event: message",
                "id: 7",
                "retry: 250",
                "data:no blank",
                "",
                "event: endpoint",
                "data: /messages",
                "",
                "data",
                "",
                "data:",
                "data:",
                "",
                "datax: no",
                "other: field",
                "",
                "data: {\"id\":9,\"x\":\"" + "y".repeat(200) + "\"}",
                "",
                "data: last",
                "",
                "data: never finished");
        byte[] bytes = (text + "").getBytes(StandardCharsets.UTF_8);
        List<String> expected = List.of(
                "|{\"a\" : \"\u00e9\",\n \"b\":1.0}", "|no blank", "endpoint|/messages", "|\n", "oversized|9", "|last");
        for (int size = 1; size <= bytes.length; size++) {
            events.clear();
            EventStream cut = new EventStream(100, sink());
            for (int at = 0; at < bytes.length; at += size) {
                byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size));
                cut.read(piece, piece.length);
            }
            assertThat(events).as("pieces of %d bytes", size).isEqualTo(expected);
            assertThat(cut.lastEventId()).isEqualTo("7");
            assertThat(cut.retryMillis()).isEqualTo(250);
        }
    }

    @Test
    void aLineOfAnotherFieldDoesNotGrowWithoutBound() {
        byte[] noise = ("id: " + "z".repeat(100_000) + "\ndata: ok\n\n").getBytes(StandardCharsets.UTF_8);
        stream.read(noise, noise.length);
        assertThat(events).containsExactly("|ok");
        assertThat(stream.lastEventId()).hasSizeLessThanOrEqualTo(8 << 10);
    }

    private EventStream.Sink sink() {
        return new EventStream.Sink() {
            @Override
            public void event(String type, byte[] data) {
                events.add(type + "|" + new String(data, StandardCharsets.UTF_8));
            }

            @Override
            public void oversized(TopLevelScan scan) {
                events.add("oversized|" + scan.id());
            }
        };
    }
}
