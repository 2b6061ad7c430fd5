package dev.postern.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.json.JsonValue;
import dev.postern.store.Forked;
import dev.postern.store.Opened;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** L2 and L3 under {@code kill -9}. */
final class LedgerCrashTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("L2: an intent without a close reads 'outcome unknown', before the next start and after it alike")
    void aCallCutShortReadsOutcomeUnknown() throws Exception {
        try (Forked caller = Forked.start(KilledCaller.class, directory.toString(), "between")) {
            assertThat(caller.line()).isEqualTo("between");
            // While it runs, its open calls are running calls.
            assertThat(Calls.export(directory)).hasSize(2);
            assertThat(Calls.verify(directory))
                    .asInstanceOf(type(Verification.Intact.class))
                    .returns(2L, Verification.Intact::open);
            caller.kill();
        }
        byte[] offline = Calls.exportBytes(directory);
        List<String> lines = Calls.export(directory);
        assertThat(lines).hasSize(4);
        for (String line : lines.subList(2, 4)) {
            JsonValue entry = json(line);
            assertThat(entry.string("disposition")).isEqualTo("FAILED");
            assertThat(entry.string("code")).isEqualTo("OUTCOME_UNKNOWN");
            assertThat(entry.string("error")).isEqualTo("outcome unknown");
            assertThat(entry.string("approver")).isEqualTo("ada");
        }
        assertThat(json(lines.get(2)).string("prev_hash"))
                .isEqualTo(json(lines.get(1)).string("hash"));
        assertThat(json(lines.get(3)).string("prev_hash"))
                .isEqualTo(json(lines.get(2)).string("hash"));
        try (LedgerReader reader = LedgerReader.open(directory)) {
            assertThat(reader.tail(1).getFirst().id()).isEqualTo("call4");
            assertThat(reader.find("call3")).map(LedgerLine::code).contains("OUTCOME_UNKNOWN");
            assertThat(reader.find("call5")).isEmpty();
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(Calls.exportBytes(directory)).isEqualTo(offline);
            opened.store().ledger().append(Calls.plain("after"));
        }
        assertThat(Calls.export(directory)).hasSize(5).startsWith(lines.toArray(String[]::new));
        assertThat(Calls.verify(directory))
                .asInstanceOf(type(Verification.Intact.class))
                .returns(0L, Verification.Intact::open);
    }

    @Test
    @DisplayName("L3: what was promised to be on the disk is there, whenever the process is killed")
    void nothingPromisedIsLost() throws Exception {
        Set<String> intended = new HashSet<>();
        Set<String> closed = new HashSet<>();
        for (int round = 0; round < 3; round++) {
            try (Forked caller = Forked.start(KilledCaller.class, directory.toString(), "many", "round" + round)) {
                for (int steps = 0; steps < 40 + 17 * round; steps++) {
                    String line = caller.line();
                    assertThat(line).isNotNull();
                    note(line, intended, closed);
                }
                caller.kill();
                for (String line = caller.line(); line != null; line = caller.line()) {
                    note(line, intended, closed);
                }
            }
            byte[] offline = Calls.exportBytes(directory);
            assertThat(Calls.verify(directory)).isInstanceOf(Verification.Intact.class);
            try (Opened opened = Opened.in(directory)) {
                assertThat(Calls.exportBytes(directory)).isEqualTo(offline);
            }
            assertThat(Calls.verify(directory)).isInstanceOf(Verification.Intact.class);
        }
        Set<String> executed = new HashSet<>();
        Set<String> unknown = new HashSet<>();
        for (LedgerLine line : Calls.lines(directory)) {
            ("OUTCOME_UNKNOWN".equals(line.code()) ? unknown : executed).add(line.id());
        }
        assertThat(executed).containsAll(closed);
        intended.removeAll(executed);
        assertThat(unknown).containsAll(intended);
    }

    private static void note(@Nullable String line, Set<String> intended, Set<String> closed) {
        if (line == null) {
            return;
        }
        if (line.startsWith("intended ")) {
            intended.add(line.substring("intended ".length()));
        } else if (line.startsWith("closed ")) {
            closed.add(line.substring("closed ".length()));
        }
    }

    private static JsonValue json(String line) {
        return JsonValue.parse(line.getBytes(StandardCharsets.UTF_8));
    }
}
