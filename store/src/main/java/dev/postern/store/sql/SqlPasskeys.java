package dev.postern.store.sql;

import dev.postern.gate.person.Passkey;
import dev.postern.gate.person.PasskeyStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Passkeys, and answered challenges until they lapse; that each is answered once is held by the key of its row. */
public final class SqlPasskeys implements PasskeyStore {
    private static final String OF = "SELECT * FROM passkey WHERE person = ? ORDER BY created_at, id";
    private static final String FIND = "SELECT * FROM passkey WHERE credential = ?";
    private static final String ANY = "SELECT count(*) FROM (SELECT 1 FROM passkey WHERE relying_party = ? LIMIT 1)";
    private static final String COUNT = "SELECT count(*) FROM passkey WHERE person = ?";
    private static final String PERSON = "SELECT name FROM person WHERE id = ? AND removed_at IS NULL";
    private static final String ADD = """
            INSERT INTO passkey (id, person, name, relying_party, credential, public_key, backup_eligible, signatures, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String REMOVE = "DELETE FROM passkey WHERE id = ? AND person = ?";
    private static final String USED = """
            UPDATE passkey SET last_used_at = ?, signatures = ?
            WHERE id = ? AND (signatures < ? OR (signatures = 0 AND ? = 0))""";
    private static final String LAPSED = "DELETE FROM passkey_challenge WHERE lapses_at <= ?";
    private static final String SPEND = "INSERT OR IGNORE INTO passkey_challenge (hash, lapses_at) VALUES (?, ?)";

    private final Database database;
    private final OperatorLog log;

    SqlPasskeys(Database database, OperatorLog log) {
        this.database = database;
        this.log = log;
    }

    @Override
    public List<Passkey> of(String person) {
        return database.read("passkey.of", statements -> statements.list(OF, SqlPasskeys::passkey, person));
    }

    @Override
    public Optional<Passkey> find(String credential) {
        return database.read("passkey.find", statements -> statements.first(FIND, SqlPasskeys::passkey, credential));
    }

    @Override
    public boolean isAnyFor(String relyingParty) {
        return database.read("passkey.any", statements -> statements.number(ANY, relyingParty) > 0);
    }

    @Override
    public void add(Passkey passkey) {
        database.write("passkey.add", statements -> {
            String person = owner(statements, passkey.person());
            if (statements.number(COUNT, passkey.person()) >= MOST_OF_ONE_PERSON) {
                throw new IllegalArgumentException(
                        "You have " + MOST_OF_ONE_PERSON + " passkeys: remove one that you no longer use first.");
            }
            if (statements
                    .first(FIND, SqlPasskeys::passkey, passkey.credential())
                    .isPresent()) {
                throw new IllegalArgumentException("This passkey is there already.");
            }
            statements.update(
                    ADD,
                    passkey.id(),
                    passkey.person(),
                    passkey.name(),
                    passkey.relyingParty(),
                    passkey.credential(),
                    passkey.publicKey(),
                    passkey.isBackupEligible(),
                    passkey.signatures(),
                    passkey.created());
            log.record(statements, person, "passkey.add", passkey.name());
            return true;
        });
    }

    @Override
    public boolean remove(String id, String person) {
        return database.write("passkey.remove", statements -> {
            boolean removed = statements.update(REMOVE, id, person) > 0;
            if (removed) {
                log.record(statements, owner(statements, person), "passkey.remove", id);
            }
            return removed;
        });
    }

    private static String owner(Statements statements, String person) throws SQLException {
        return statements.first(PERSON, row -> row.text("name"), person).orElseThrow();
    }

    @Override
    public boolean used(String id, long signatures, Instant at) {
        return database.write(
                "passkey.used", statements -> statements.update(USED, at, signatures, id, signatures, signatures) > 0);
    }

    @Override
    public boolean spendChallenge(byte[] hash, Instant lapses, Instant now) {
        return database.write("passkey-challenge.spend", statements -> {
            statements.update(LAPSED, now);
            return statements.update(SPEND, hash, lapses) > 0;
        });
    }

    private static Passkey passkey(Row row) throws SQLException {
        return new Passkey(
                row.text("id"),
                row.text("person"),
                row.text("name"),
                row.text("relying_party"),
                row.text("credential"),
                row.text("public_key"),
                row.truth("backup_eligible"),
                row.number("signatures"),
                row.instant("created_at"),
                row.instantOrNull("last_used_at"));
    }
}
