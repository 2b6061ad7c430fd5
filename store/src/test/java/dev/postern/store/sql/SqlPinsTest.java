package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.call.ToolName;
import dev.postern.gate.definition.Pin;
import dev.postern.gate.definition.PinStore;
import dev.postern.store.Opened;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pinned definitions, on a real database. */
class SqlPinsTest {
    private static final Instant AT = Instant.parse("2026-07-28T09:00:00Z");
    private static final ToolName TOOL = new ToolName("files", "write");

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aPinAndItsChangeAreKeptAndAcceptedOnce() {
        Pin first = new Pin(TOOL, "one", new byte[] {1}, AT, "ada", null, null);
        Pin.Seen seen = new Pin.Seen("two", new byte[] {2}, AT.plusSeconds(1));
        try (Opened opened = Opened.in(directory)) {
            PinStore pins = opened.store().pins();
            pins.pin(first);
            pins.pin(new Pin(TOOL, "other", new byte[] {9}, AT, "bob", null, null));
            pins.seen(TOOL, "one", seen);
        }
        try (Opened opened = Opened.in(directory)) {
            PinStore pins = opened.store().pins();
            Pin kept = pins.find(TOOL).orElseThrow();
            assertThat(kept.hash()).isEqualTo("one");
            assertThat(kept.definition()).isEqualTo(new byte[] {1});
            assertThat(kept.actor()).isEqualTo("ada");
            assertThat(kept.isChanged()).isTrue();
            assertThat(pins.find(new ToolName("files", "read"))).isEmpty();

            assertThat(pins.accept(TOOL, "three", "bob", AT)).isFalse();
            assertThat(pins.accept(TOOL, "two", "bob", AT)).isTrue();
            assertThat(pins.accept(TOOL, "two", "bob", AT)).isFalse();
            Pin now = pins.pins().getFirst();
            assertThat(now.hash()).isEqualTo("two");
            assertThat(now.definition()).isEqualTo(new byte[] {2});
            assertThat(now.isChanged()).isFalse();
            assertThat(now.acceptedAt()).isEqualTo(AT);

            pins.seen(TOOL, "one", seen);
            assertThat(pins.find(TOOL).orElseThrow().isChanged())
                    .as("it was compared with a pin that is no more")
                    .isFalse();
            pins.seen(TOOL, "two", seen);
            assertThat(pins.find(TOOL).orElseThrow().isChanged()).isTrue();
            pins.seen(TOOL, "two", null);
            assertThat(pins.find(TOOL).orElseThrow().isChanged()).isFalse();
            assertThat(opened.store().operatorLog().latest(2))
                    .extracting(act -> act.actor() + " " + act.act() + " " + act.subject())
                    .containsExactly("bob definition.accept files__write", "ada definition.pin files__write");
        }
    }
}
