package dev.postern.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.gate.call.CallId;
import dev.postern.gate.link.LinkOrigin;
import dev.postern.gate.link.LinkStore;
import dev.postern.gate.link.LinkStore.Claimed;
import dev.postern.gate.link.LinkStore.LinkException;
import dev.postern.gate.link.LinkToken;
import dev.postern.secret.Reveal;
import dev.postern.store.Opened;
import dev.postern.store.file.DataDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** O3 at rest: a value behind a link comes out once, to whoever has the token, until its time is over. */
final class SqlLinksTest {
    private static final String VALUE = "one-time-Tr0ub4dor&3";
    private static final LinkOrigin ORIGIN =
            new LinkOrigin(new CallId("c1"), "tester", "local", "operator", "{{vault:db}}", "id.password");
    private static final int RACERS = 50;

    /** The build runs 100; {@code -Dpostern.links.rounds=1000} runs more. */
    private static final int ROUNDS = Integer.getInteger("postern.links.rounds", 100);

    @TempDir
    Path directory;

    private Opened opened;
    private LinkStore links;

    @BeforeEach
    void open() {
        opened = Opened.in(directory);
        links = opened.store().links();
    }

    @AfterEach
    void close() {
        opened.close();
    }

    @Test
    @DisplayName("O2: a link gives its value once, and where it came from")
    void once() {
        LinkToken token = add();
        assertThat(claim(token)).contains(VALUE);
        assertThat(claim(token)).isEmpty();
        assertThat(claim(LinkToken.random())).isEmpty();
    }

    @Test
    @DisplayName("O3: a link survives a restart, and comes with its origin")
    void afterARestart() {
        LinkToken token = add();
        close();
        open();
        try (Claimed claimed = links.claim(token).orElseThrow()) {
            assertThat(claimed.origin()).isEqualTo(ORIGIN);
        }
    }

    @Test
    @DisplayName("O3: of 50 racers one wins, in every round")
    void oneWinner() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            LinkToken token = add();
            List<Optional<String>> results = Racing.race(RACERS, () -> claim(token));
            assertThat(results)
                    .filteredOn(Optional::isPresent)
                    .as("round %d", round)
                    .containsExactly(Optional.of(VALUE));
        }
    }

    @Test
    @DisplayName("O3: an expired link is a miss at once, and its row is gone with the next purge")
    void expiry() throws Exception {
        LinkToken token = add();
        LinkToken later = LinkToken.random();
        links.add(later, Opened.secret(VALUE), ORIGIN, opened.clock().instant().plusSeconds(600));
        opened.clock().advance(Duration.ofSeconds(119));
        ((SqlLinks) links).purge();
        assertThat(rows()).isEqualTo(2);
        opened.clock().advance(Duration.ofSeconds(1));
        assertThat(claim(token)).isEmpty();
        ((SqlLinks) links).purge();
        assertThat(rows()).isEqualTo(1);
        assertThat(claim(later)).contains(VALUE);
        assertThat(rows()).isZero();
    }

    @Test
    @DisplayName("O3: a value that does not open is not taken")
    void aFailedClaimIsRolledBack() throws Exception {
        LinkToken token = add();
        String good = query("SELECT hex(value) FROM one_time_link");
        tamper("UPDATE one_time_link SET value = zeroblob(length(value))");
        assertThatThrownBy(() -> links.claim(token)).isInstanceOf(LinkException.class);
        assertThatThrownBy(() -> links.claim(token)).isInstanceOf(LinkException.class);
        assertThat(rows()).isEqualTo(1);
        tamper("UPDATE one_time_link SET value = x'" + good + "'");
        assertThat(claim(token)).contains(VALUE);
    }

    @Test
    @DisplayName("O3: a row copied under another token's hash does not open")
    void bound() throws Exception {
        LinkToken token = add();
        assertThat(LinkToken.parse(text(token))).isPresent();
        LinkToken other = LinkToken.random();
        tamper("UPDATE one_time_link SET token_hash = x'" + HexFormat.of().formatHex(other.hash()) + "'");
        assertThatThrownBy(() -> links.claim(other)).isInstanceOf(LinkException.class);
    }

    @Test
    @DisplayName("V2: a link outlives a rotation of the keys, and a restart after it")
    void rotation() {
        LinkToken token = add();
        opened.store().keys().rotate(OperatorLog.OPERATOR);
        close();
        open();
        assertThat(claim(token)).contains(VALUE);
    }

    @Test
    @DisplayName("O3: neither token nor value is in any file, while a link waits and after")
    void nothingInTheClear() throws IOException {
        LinkToken token = add();
        search(token);
        assertThat(claim(token)).contains(VALUE);
        search(token);
        close();
        search(token);
        open();
    }

    @Test
    @DisplayName("No more values wait than the store takes")
    void bounded() throws SQLException {
        tamper("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + SqlLinks.MAX_WAITING
                + ") INSERT INTO one_time_link SELECT randomblob(32), 1, x'00', x'00', 'c', 'u', 'a', 'p', NULL, "
                + opened.clock().instant().plusSeconds(120).toEpochMilli() + ", '' FROM n");
        assertThat(offer(LinkToken.random())).isFalse();
        opened.clock().advance(Duration.ofMinutes(2));
        assertThat(offer(LinkToken.random())).isTrue();
    }

    private LinkToken add() {
        LinkToken token = LinkToken.random();
        assertThat(offer(token)).isTrue();
        return token;
    }

    private boolean offer(LinkToken token) {
        return links.add(
                token, Opened.secret(VALUE), ORIGIN, opened.clock().instant().plusSeconds(120));
    }

    private Optional<String> claim(LinkToken token) {
        return links.claim(token).map(claimed -> {
            try (claimed) {
                return new String(claimed.value().reveal(Reveal.TO_DELIVER), StandardCharsets.UTF_8);
            }
        });
    }

    private void search(LinkToken token) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String content = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertThat(content)
                        .as("%s", file)
                        .doesNotContain(VALUE, text(token), new String(token.bytes(), StandardCharsets.ISO_8859_1));
            }
        }
    }

    private static String text(LinkToken token) {
        return java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(token.bytes());
    }

    private long rows() throws SQLException {
        return Long.parseLong(query("SELECT count(*) FROM one_time_link"));
    }

    private String query(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + DataDirectory.databaseIn(directory));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.getString(1);
        }
    }

    private void tamper(String sql) throws SQLException {
        Opened.tamper(directory, sql);
    }
}
