package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.grant.GrantStore.Grant;
import dev.postern.gate.grant.GrantStore.Scope;
import dev.postern.reference.Field;
import dev.postern.store.Opened;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** P4 at rest: a grant covers exactly what it says, as often and as long as it says. */
final class SqlGrantsTest {
    private static final UUID SECRET = UUID.randomUUID();
    private static final Scope SCOPE = new Scope("agent", "files__write", SECRET, Field.PASSWORD, "files");
    private static final Scope NOTES = new Scope("agent", "files__write", SECRET, Field.NOTES, "files");

    @TempDir
    Path directory;

    private Opened opened;
    private GrantStore grants;

    @BeforeEach
    void open() {
        opened = Opened.in(directory);
        grants = opened.store().grants();
    }

    @AfterEach
    void close() {
        opened.close();
    }

    @Test
    void aGrantComesBackAsItWasGiven() {
        Grant grant = grant("a", SCOPE, now().plusSeconds(600), 3);
        grants.add(grant);
        close();
        open();
        assertThat(grants.list()).containsExactly(grant);
    }

    @Test
    @DisplayName("P4: uses are counted, and the last one is the last")
    void usesAreCounted() {
        grants.add(grant("a", SCOPE, null, 2));
        assertThat(claim(SCOPE)).contains(List.of("a"));
        opened.clock().advance(Duration.ofSeconds(5));
        assertThat(claim(SCOPE)).contains(List.of("a"));
        assertThat(claim(SCOPE)).isEmpty();
        assertThat(grants.list()).isEmpty();
    }

    @Test
    void aGrantWithoutLimitsLastsUntilItIsRevoked() {
        grants.add(grant("a", SCOPE, null, null));
        for (int i = 0; i < 5; i++) {
            assertThat(claim(SCOPE)).contains(List.of("a"));
            opened.clock().advance(Duration.ofDays(300));
        }
        assertThat(grants.list().getFirst().lastUsed()).isEqualTo(now().minus(Duration.ofDays(300)));
        assertThat(grants.standing(List.of("a"), now())).isTrue();
        assertThat(grants.revoke("a")).isTrue();
        assertThat(grants.revoke("a")).isFalse();
        assertThat(grants.standing(List.of("a"), now())).isFalse();
        assertThat(claim(SCOPE)).isEmpty();
        assertThat(grants.list()).isEmpty();
    }

    @Test
    void aGrantEndsWhenItsTimeDoes() {
        grants.add(grant("a", SCOPE, now().plusSeconds(600), null));
        opened.clock().advance(Duration.ofSeconds(599));
        assertThat(claim(SCOPE)).contains(List.of("a"));
        opened.clock().advance(Duration.ofSeconds(1));
        assertThat(claim(SCOPE)).isEmpty();
        assertThat(grants.standing(List.of("a"), now())).isFalse();
    }

    @Test
    @DisplayName("P4: another agent, tool, secret, field or destination is not covered")
    void onlyTheScopeIsCovered() {
        grants.add(grant("a", SCOPE, null, null));
        for (Scope other : List.of(
                new Scope("other", "files__write", SECRET, Field.PASSWORD, "files"),
                new Scope("agent", "files__read", SECRET, Field.PASSWORD, "files"),
                new Scope("agent", "files__write", UUID.randomUUID(), Field.PASSWORD, "files"),
                NOTES,
                new Scope("agent", "files__write", SECRET, Field.PASSWORD, "files → example.com"))) {
            assertThat(claim(other)).as("%s", other).isEmpty();
        }
    }

    @Test
    @DisplayName("P4: a call takes a use for each of its fields, or none at all")
    void allScopesOrNone() {
        grants.add(grant("password", SCOPE, null, 1));
        assertThat(claim(SCOPE, NOTES)).isEmpty();
        assertThat(grants.list().getFirst().usesLeft()).isEqualTo(1);
        grants.add(grant("notes", NOTES, null, 1));
        assertThat(claim(SCOPE, NOTES)).contains(List.of("password", "notes"));
        assertThat(claim(SCOPE)).isEmpty();
        assertThat(claim(NOTES)).isEmpty();
    }

    @Test
    void theSameScopeTwiceInOneCallIsOneUse() {
        grants.add(grant("a", SCOPE, null, 1));
        assertThat(claim(SCOPE, SCOPE)).contains(List.of("a"));
    }

    @Test
    void noScopeIsNoGrant() {
        grants.add(grant("a", SCOPE, null, null));
        assertThat(claim()).isEmpty();
    }

    @Test
    void aCountedGrantIsSparedWhileAnUncountedOneCovers() {
        grants.add(grant("counted", SCOPE, null, 1));
        grants.add(grant("uncounted", SCOPE, now().plusSeconds(60), null));
        assertThat(claim(SCOPE)).contains(List.of("uncounted"));
        opened.clock().advance(Duration.ofMinutes(1));
        assertThat(claim(SCOPE)).contains(List.of("counted"));
    }

    @Test
    @DisplayName("P4: of 200 that claim one use, one gets it")
    void oneOfManyClaims() throws Exception {
        grants.add(grant("a", SCOPE, null, 1));
        assertThat(Racing.race(200, () -> claim(SCOPE)))
                .filteredOn(Optional::isPresent)
                .hasSize(1);
    }

    @Test
    void ofManyClaimsOnTwoFieldsNoUseIsLost() throws Exception {
        grants.add(grant("password", SCOPE, null, 50));
        grants.add(grant("notes", NOTES, null, 30));
        assertThat(Racing.race(200, () -> claim(SCOPE, NOTES)))
                .filteredOn(Optional::isPresent)
                .hasSize(30);
        assertThat(grants.list()).extracting(Grant::usesLeft).containsExactly(20);
    }

    @Test
    @DisplayName("P4: all grants, or all of one agent, are revoked at once; one that was claimed no longer stands")
    void manyAreRevokedAtOnce() {
        grants.add(grant("a", SCOPE, null, null));
        grants.add(grant("b", NOTES, null, null));
        Scope others = new Scope("another", SCOPE.tool(), SCOPE.secret(), SCOPE.field(), SCOPE.destination());
        grants.add(grant("c", others, null, null));
        List<String> claimed = claim(SCOPE).orElseThrow();
        assertThat(grants.revokeAll(SCOPE.agent(), "ada")).isEqualTo(2);
        assertThat(grants.standing(claimed, now())).isFalse();
        assertThat(grants.list()).extracting(Grant::id).containsExactly("c");
        assertThat(grants.revokeAll(null, "ada")).isEqualTo(1);
        assertThat(grants.revokeAll(null, "ada")).isZero();
        assertThat(opened.store().operatorLog().latest(3))
                .extracting(act -> act.actor() + " " + act.act() + " " + act.subject())
                .containsExactly("ada grant.revoke c", "ada grant.revoke b", "ada grant.revoke a");
    }

    @Test
    void namesAreKeptWithTheGrant() {
        grants.add(new Grant("a", SCOPE, null, null, now(), "ada", null, "ci", "captured.1"));
        assertThat(grants.list())
                .extracting(Grant::agentName, Grant::secretName)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("ci", "captured.1"));
    }

    @Test
    void givingAndRevokingAreInTheOperatorsLog() {
        grants.add(grant("a", SCOPE, null, null));
        grants.revoke("a");
        assertThat(opened.store().operatorLog().latest(10))
                .extracting(act -> act.actor() + " " + act.act() + " " + act.subject())
                .containsExactly("operator grant.revoke a", "ada grant.add a");
    }

    private Optional<List<String>> claim(Scope... scopes) {
        return grants.claim(List.of(scopes), now());
    }

    private Instant now() {
        return opened.clock().instant();
    }

    private Grant grant(String id, Scope scope, @Nullable Instant expires, @Nullable Integer uses) {
        return new Grant(id, scope, expires, uses, now(), "ada", null, "agent", "secret");
    }
}
