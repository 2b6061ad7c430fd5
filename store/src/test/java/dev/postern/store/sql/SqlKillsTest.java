package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillStore;
import dev.postern.store.Opened;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A3, on a real database. */
class SqlKillsTest {
    private static final Instant AT = Instant.parse("2026-07-28T09:00:00Z");

    @TempDir
    private Path directory = Path.of("");

    @Test
    @DisplayName("A3: what is stopped, by whom and why survives a restart; so does its end")
    void theKillSwitchIsKept() {
        Kill all = new Kill(Kill.Scope.ALL, AT, "ada", "a leak");
        Kill agent = new Kill(Kill.Scope.agent("ci"), AT.plusSeconds(1), "bob", null);
        Kill server = new Kill(Kill.Scope.server("files"), AT.plusSeconds(2), "ada", null);
        try (Opened opened = Opened.in(directory)) {
            KillStore kills = opened.store().kills();
            assertThat(kills.engaged()).isEmpty();
            kills.engage(server);
            kills.engage(agent);
            kills.engage(all);
        }
        try (Opened opened = Opened.in(directory)) {
            KillStore kills = opened.store().kills();
            assertThat(kills.engaged()).containsExactly(all, agent, server);
            assertThat(kills.release(Kill.Scope.ALL, "ada")).isTrue();
            assertThat(kills.release(Kill.Scope.ALL, "ada")).isFalse();
            assertThat(kills.release(Kill.Scope.agent("files"), "ada")).isFalse();
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.store().kills().engaged()).containsExactly(agent, server);
            assertThat(opened.store().operatorLog().latest(9))
                    .extracting(act -> act.actor() + " " + act.act() + " " + act.subject())
                    .containsExactly(
                            "ada kill.off all calls",
                            "ada kill.on all calls: a leak",
                            "bob kill.on agent ci",
                            "ada kill.on server files");
        }
    }

    @Test
    void engagedAgainItHasTheLatestReason() {
        try (Opened opened = Opened.in(directory)) {
            opened.store().kills().engage(new Kill(Kill.Scope.ALL, AT, "ada", null));
            Kill again = new Kill(Kill.Scope.ALL, AT.plusSeconds(9), "bob", "still");
            opened.store().kills().engage(again);
            assertThat(opened.store().kills().engaged()).containsExactly(again);
        }
    }
}
