package dev.postern.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.postern.store.Opened;
import dev.postern.store.crypto.SigningKey;
import dev.postern.store.ledger.Verification.Broken;
import dev.postern.store.ledger.Verification.Intact;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** L2: checkpoints are signed, so that a chain that was written anew or cut off is found, however well it was done. */
final class SignedLedgerTest {
    @TempDir
    private Path directory;

    /** So that no two entries have one id. */
    private int written;

    @Test
    @DisplayName("L2: the stop signs, and so does every thousandth entry")
    void theLedgerIsSignedAsItGrows() {
        try (Opened opened = Opened.in(directory)) {
            append(opened, 0, 2_100);
            opened.store().ledger().intend(Calls.intent("flush"));
            assertThat(verify(LedgerProofs.NONE))
                    .asInstanceOf(type(Intact.class))
                    .satisfies(intact -> assertThat(intact.signed()).isGreaterThan(1_000));
        }
        // The intent was never closed: the next start will say so. What is there is signed.
        assertThat(verify(LedgerProofs.NONE))
                .asInstanceOf(type(Intact.class))
                .returns(2_100L, Intact::entries)
                .returns(2_100L, Intact::signed);
        Opened.in(directory).close();
        assertThat(verify(LedgerProofs.NONE)).asInstanceOf(type(Intact.class)).returns(2_101L, Intact::signed);
    }

    @Test
    @DisplayName("L2: who writes the chain anew, hashes and all, cannot sign it")
    void aRewrittenChainIsFound() throws Exception {
        write(5);
        rewriteFrom(3);
        assertThat(verify(LedgerProofs.NONE))
                .isEqualTo(new Broken(
                        "ledger",
                        1,
                        "",
                        "lines 1 to 5 are not those that checkpoint 1 signs: the chain was written anew"));
    }

    @Test
    @DisplayName("L2: a tail that was cut off, its end moved back, is found by the checkpoint beyond it")
    void aCutTailIsFound() throws Exception {
        write(5);
        cutTailTo(3);
        assertThat(verify(LedgerProofs.NONE))
                .isEqualTo(new Broken(
                        "ledger", 4, "", "it is missing: checkpoint 1 signs 5 lines, and the chain ends at 3"));
    }

    @Test
    @DisplayName("L2: a checkpoint kept elsewhere finds it, too, where the ledger's own are gone")
    void aKeptCheckpointProves() throws Exception {
        write(5);
        Checkpoint kept;
        try (LedgerReader reader = LedgerReader.open(directory)) {
            kept = reader.checkpoint().orElseThrow();
        }
        LedgerProofs proofs = LedgerProofs.of(List.of(Checkpoint.parse(kept.json())));
        assertThat(verify(proofs)).isInstanceOf(Intact.class);
        write(3);
        assertThat(verify(proofs)).isInstanceOf(Intact.class);
        cutTailTo(4);
        Opened.tamper(directory, "DELETE FROM ledger_checkpoint");
        assertThat(verify(LedgerProofs.NONE)).isInstanceOf(Intact.class);
        assertThat(verify(proofs)).isInstanceOf(Broken.class);
    }

    @Test
    @DisplayName("L2: another's signature does not hold under the key that was kept")
    void anotherKeyIsNoKeyOfOurs() {
        write(2);
        byte[] ours = publicKey();
        assertThat(verify(LedgerProofs.of(ours, List.of()))).isInstanceOf(Intact.class);
        assertThat(verify(LedgerProofs.of(SigningKey.generate().publicKey(), List.of())))
                .isEqualTo(
                        new Broken("ledger_checkpoint", 1, "", "its signature is not that of the key that was given"));
        assertThat(SigningKey.fromPem(SigningKey.pem(ours))).isEqualTo(ours);
    }

    @Test
    void aChangedCheckpointIsFound() throws Exception {
        write(2);
        for (String column : List.of("at", "signature", "trace_hash")) {
            Opened.tamper(directory, "UPDATE ledger_checkpoint SET " + column + " = replace(" + column + ", '1', '2')");
        }
        assertThat(verify(LedgerProofs.NONE))
                .isEqualTo(new Broken("ledger_checkpoint", 1, "", "its signature does not hold"));
    }

    @Test
    @DisplayName("V2: the signing key stays the same when the vault's keys are rotated")
    void theKeyOutlivesARotation() {
        write(2);
        byte[] before = publicKey();
        try (Opened opened = Opened.in(directory)) {
            opened.store().keys().rotate("operator");
            append(opened, 10, 2);
        }
        write(2);
        assertThat(publicKey()).isEqualTo(before);
        assertThat(verify(LedgerProofs.of(before, List.of())))
                .asInstanceOf(type(Intact.class))
                .returns(6L, Intact::signed);
    }

    @Test
    @DisplayName("L2: a public key put in the place of ours signs nothing, and entries go on")
    void anExchangedKeyIsNotUsed() throws Exception {
        write(2);
        byte[] ours = publicKey();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("postern.db"));
                var update = connection.prepareStatement("UPDATE ledger_key SET public_key = ?")) {
            update.setBytes(1, SigningKey.generate().publicKey());
            update.executeUpdate();
        }
        write(2);
        assertThat(verify(LedgerProofs.NONE)).isInstanceOf(Broken.class);
        assertThat(verify(LedgerProofs.of(ours, List.of())))
                .asInstanceOf(type(Intact.class))
                .returns(4L, Intact::entries)
                .returns(2L, Intact::signed);
    }

    private void write(int count) {
        try (Opened opened = Opened.in(directory)) {
            append(opened, written += 1_000, count);
        }
    }

    private static void append(Opened opened, int from, int count) {
        for (int i = 0; i < count; i++) {
            opened.store().ledger().append(Calls.plain("call" + (from + i)));
        }
    }

    private byte[] publicKey() {
        try (LedgerReader reader = LedgerReader.open(directory)) {
            return reader.publicKeys().getFirst();
        }
    }

    private Verification verify(LedgerProofs proofs) {
        try (LedgerReader reader = LedgerReader.open(directory)) {
            return reader.verify(proofs, (done, total) -> {});
        }
    }

    /** Changes an entry and gives it and all that follow the hashes they need: what a chain alone cannot show. */
    private void rewriteFrom(long position) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("postern.db"));
                var read = connection.prepareStatement("SELECT " + LineFormat.ENTRY.columnList("")
                        + " FROM ledger WHERE position >= ? ORDER BY position");
                var hash = connection.prepareStatement("SELECT hash FROM ledger WHERE position = ?");
                var update = connection.prepareStatement(
                        "UPDATE ledger SET agent = ?, prev_hash = ?, hash = ? WHERE position = ?");
                var end = connection.prepareStatement("UPDATE ledger_head SET hash = ? WHERE chain = 'ledger'")) {
            hash.setLong(1, position - 1);
            String previous;
            try (var rows = hash.executeQuery()) {
                previous = rows.next() ? rows.getString(1) : LineFormat.ORIGIN;
            }
            read.setLong(1, position);
            List<@Nullable Object> values = new ArrayList<>();
            try (var rows = read.executeQuery()) {
                while (rows.next()) {
                    values.clear();
                    for (int i = 0; i < LineFormat.ENTRY.width(); i++) {
                        values.add(rows.getObject(i + 2));
                    }
                    values.set(2, "somebody else");
                    String made = LineFormat.hash(LineFormat.ENTRY.unhashed(values, previous));
                    update.setString(1, "somebody else");
                    update.setString(2, previous);
                    update.setString(3, made);
                    update.setLong(4, rows.getLong(1));
                    update.executeUpdate();
                    previous = made;
                }
            }
            end.setString(1, previous);
            end.executeUpdate();
        }
    }

    private void cutTailTo(long position) throws Exception {
        Opened.tamper(
                directory,
                "DELETE FROM ledger WHERE position > " + position,
                "UPDATE ledger_head SET position = " + position + ", hash = (SELECT hash FROM ledger WHERE position = "
                        + position + ") WHERE chain = 'ledger'");
    }
}
