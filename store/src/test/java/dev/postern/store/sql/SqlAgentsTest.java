package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.AgentStore.AgentSummary;
import dev.postern.gate.agent.AgentStore.NewAgent;
import dev.postern.gate.agent.Caller;
import dev.postern.gate.agent.Permission;
import dev.postern.store.Opened;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A1: agents and their keys. */
final class SqlAgentsTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("A1: an agent is known by its key, now and after a restart")
    void aKeyAuthenticates() {
        NewAgent agent;
        Caller caller;
        try (Opened opened = Opened.in(directory)) {
            agent = opened.store().agents().add("claude", Set.of(Permission.SECRET_USE));
            caller = opened.store().agents().authenticate(agent.key()).orElseThrow();
            assertThat(caller).isEqualTo(new Caller(agent.id(), "claude", "local", Set.of(Permission.SECRET_USE)));
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.store().agents().authenticate(agent.key())).contains(caller);
            assertThat(opened.store().agents().find(agent.id())).contains(caller);
        }
    }

    @Test
    void keysAreLongRandomAndChecked() {
        try (Opened opened = Opened.in(directory)) {
            String key = opened.store().agents().add("one", Set.of()).key();
            assertThat(key).matches("pst_[0-9A-Za-z]{49}");
            assertThat(key)
                    .isNotEqualTo(opened.store().agents().add("two", Set.of()).key());
            for (int i = 0; i < key.length(); i++) {
                char other = key.charAt(i) == 'A' ? 'B' : 'A';
                String mistyped = key.substring(0, i) + other + key.substring(i + 1);
                assertThat(AgentKey.wellFormed(mistyped)).as("character %d", i).isFalse();
                assertThat(opened.store().agents().authenticate(mistyped)).isEmpty();
            }
            assertThat(opened.store().agents().authenticate(AgentKey.random())).isEmpty();
            assertThat(opened.store().agents().authenticate("")).isEmpty();
        }
    }

    @Test
    void onlyTheHashOfAKeyIsOnTheDisk() throws IOException {
        NewAgent agent;
        try (Opened opened = Opened.in(directory)) {
            agent = opened.store().agents().add("claude", Set.of());
        }
        String database = new String(Files.readAllBytes(directory.resolve("postern.db")), StandardCharsets.ISO_8859_1);
        assertThat(database).contains(agent.key().substring(0, 10));
        assertThat(database).doesNotContain(agent.key().substring(10));
        assertThat(agent.toString()).doesNotContain(agent.key());
    }

    @Test
    void aRevokedAgentIsUnknownAtOnceAndItsNameIsFree() {
        try (Opened opened = Opened.in(directory)) {
            AgentStore agents = opened.store().agents();
            NewAgent byName = agents.add("claude", Set.of());
            assertThat(agents.revoke("claude")).isTrue();
            assertThat(agents.revoke("claude")).isFalse();
            assertThat(agents.authenticate(byName.key())).isEmpty();
            assertThat(agents.find(byName.id())).isEmpty();
            NewAgent byId = agents.add("claude", Set.of());
            assertThat(agents.revoke(byId.id())).isTrue();
            assertThat(agents.authenticate(byId.key())).isEmpty();
            assertThat(agents.list()).extracting(AgentSummary::revoked).containsExactly(true, true);
        }
        try (Opened opened = Opened.in(directory)) {
            assertThat(opened.store().agents().find("claude")).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "A1: a key that expires is unknown from then on, and its agent fails the confirm step, over a restart, too")
    void aKeyExpires() {
        NewAgent agent;
        try (Opened opened = Opened.in(directory)) {
            AgentStore agents = opened.store().agents();
            agent = agents.add("ci", Set.of(), opened.clock().instant().plus(Duration.ofDays(30)), "ada");
            opened.clock().advance(Duration.ofDays(30).minusMillis(1));
            assertThat(agents.authenticate(agent.key())).isPresent();
            opened.clock().advance(Duration.ofMillis(1));
            assertThat(agents.authenticate(agent.key())).isEmpty();
            assertThat(agents.find(agent.id())).isEmpty();
            assertThat(agents.list().getFirst().expires())
                    .isEqualTo(opened.clock().instant());
            List<String> ended = new ArrayList<>();
            var _ = agents.onKeysEnded(caller -> ended.add(caller.name()));
            agents.endExpired();
            agents.endExpired();
            assertThat(ended).as("announced once").containsExactly("ci");
            NewAgent renewed = agents.rotate("ci", Duration.ZERO, null, "ada").orElseThrow();
            ended.clear();
            agents.endExpired();
            assertThat(ended).as("another key is good").isEmpty();
            assertThat(agents.authenticate(renewed.key())).isPresent();
        }
    }

    @Test
    @DisplayName("A1: rotated with an overlap both keys work for so long; it is the same agent")
    void keysOverlap() {
        NewAgent first;
        NewAgent second;
        List<String> ended = new ArrayList<>();
        try (Opened opened = Opened.in(directory)) {
            AgentStore agents = opened.store().agents();
            AutoCloseable _ = agents.onKeysEnded(caller -> ended.add(caller.name()));
            first = agents.add("ci", Set.of(Permission.SECRET_USE));
            second = agents.rotate(first.id(), Duration.ofMinutes(10), null, "ada")
                    .orElseThrow();
            assertThat(second.id()).isEqualTo(first.id());
            assertThat(agents.authenticate(second.key())).isEqualTo(agents.authenticate(first.key()));
            assertThat(agents.rotate("nobody", Duration.ZERO, null, "ada")).isEmpty();
        }
        try (Opened opened = Opened.in(directory)) {
            AgentStore agents = opened.store().agents();
            opened.clock().advance(Duration.ofMinutes(10).minusMillis(1));
            assertThat(agents.authenticate(first.key())).isPresent();
            opened.clock().advance(Duration.ofMillis(1));
            assertThat(agents.authenticate(first.key())).isEmpty();
            assertThat(agents.authenticate(second.key())).isPresent();
            assertThat(agents.find(first.id())).isPresent();
            assertThat(agents.list().getFirst().keys())
                    .extracting(
                            key -> key.prefix(),
                            key -> key.isLive(opened.clock().instant()))
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(second.key().substring(0, 10), true),
                            org.assertj.core.groups.Tuple.tuple(first.key().substring(0, 10), false));
            assertThat(ended).as("nothing was cut off").isEmpty();
        }
    }

    @Test
    @DisplayName(
            "A1: rotated without an overlap, and revoked, the old keys end at once and whoever began something hears of it")
    void keysEndAtOnce() {
        try (Opened opened = Opened.in(directory)) {
            AgentStore agents = opened.store().agents();
            List<String> ended = new ArrayList<>();
            AutoCloseable _ = agents.onKeysEnded(caller -> ended.add(caller.name()));
            NewAgent first = agents.add("ci", Set.of());
            NewAgent second = agents.rotate("ci", Duration.ZERO, null, "ada").orElseThrow();
            assertThat(agents.authenticate(first.key())).isEmpty();
            assertThat(agents.authenticate(second.key())).isPresent();
            assertThat(ended).containsExactly("ci");
            agents.revoke("ci", "bob");
            assertThat(agents.authenticate(second.key())).isEmpty();
            assertThat(agents.rotate("ci", Duration.ZERO, null, "ada"))
                    .as("a revoked agent stays so")
                    .isEmpty();
            assertThat(ended).containsExactly("ci", "ci");
            assertThat(opened.store().operatorLog().latest(3))
                    .extracting(act -> act.actor() + " " + act.act())
                    .containsExactly("bob agent.revoke", "ada agent.rotate", "operator agent.add");
        }
    }

    @Test
    @DisplayName("A1: of a rotation and a revocation at once the revocation wins, whichever comes first")
    void aRevocationWinsOverARotation() throws Exception {
        try (Opened opened = Opened.in(directory)) {
            AgentStore agents = opened.store().agents();
            for (int round = 0; round < 100; round++) {
                NewAgent agent = agents.add("ci", Set.of());
                AtomicBoolean first = new AtomicBoolean(true);
                List<Optional<NewAgent>> rotated = Racing.race(2, () -> {
                    if (first.getAndSet(false)) {
                        return agents.rotate(agent.id(), Duration.ofMinutes(10), null, "ada");
                    }
                    assertThat(agents.revoke(agent.id(), "bob")).isTrue();
                    return Optional.empty();
                });
                assertThat(agents.find(agent.id())).isEmpty();
                assertThat(agents.authenticate(agent.key())).isEmpty();
                assertThat(rotated.stream().flatMap(Optional::stream))
                        .allSatisfy(renewed ->
                                assertThat(agents.authenticate(renewed.key())).isEmpty());
            }
        }
    }

    @Test
    void twoLiveAgentsCannotShareAName() {
        try (Opened opened = Opened.in(directory)) {
            opened.store().agents().add("claude", Set.of());
            assertThatThrownBy(() -> opened.store().agents().add("claude", Set.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> opened.store().agents().add(" ", Set.of()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theLastUseIsShownToTheMinute() {
        try (Opened opened = Opened.in(directory)) {
            AgentStore agents = opened.store().agents();
            NewAgent agent = agents.add("claude", Set.of());
            assertThat(agents.list().getFirst().lastUsed()).isNull();
            agents.authenticate(agent.key());
            opened.clock().advance(Duration.ofSeconds(90));
            agents.authenticate(agent.key());
            // Written in the background, in order: once this write is done, so is that.
            opened.store().operatorLog().record("test", "barrier", "");
            assertThat(agents.list().getFirst().lastUsed())
                    .isEqualTo(opened.clock().instant());
            assertThat(agents.list().getFirst().keyPrefix())
                    .isEqualTo(agent.key().substring(0, 10));
        }
    }
}
