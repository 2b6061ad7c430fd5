package dev.postern.store.sql;

import dev.postern.gate.person.ProviderAccount;
import dev.postern.gate.person.Session;
import dev.postern.gate.person.SessionStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Open sessions (A4), so that signing out holds at once and a restart signs nobody out. */
public final class SqlSessions implements SessionStore {
    private static final String OPEN = """
            INSERT INTO session (id, token_hash, person, opened_at, last_used_at, confirmed_at, issuer, subject)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String FIND = "SELECT * FROM session WHERE token_hash = ?";
    private static final String OF = "SELECT * FROM session WHERE person = ? ORDER BY last_used_at DESC";
    private static final String USED = "UPDATE session SET last_used_at = ? WHERE id = ?";
    private static final String CONFIRMED = "UPDATE session SET confirmed_at = ? WHERE id = ?";
    private static final String END = "DELETE FROM session WHERE id = ?";
    private static final String END_OTHERS = "DELETE FROM session WHERE person = ? AND id <> ?";
    private static final String PURGE = "DELETE FROM session WHERE opened_at < ? OR last_used_at < ?";

    private final Database database;

    SqlSessions(Database database) {
        this.database = database;
    }

    @Override
    public void open(Session session, byte[] tokenHash) {
        ProviderAccount account = session.account();
        write(
                "session.open",
                OPEN,
                session.id(),
                tokenHash,
                session.person(),
                session.opened(),
                session.lastUsed(),
                session.confirmed(),
                account == null ? null : account.issuer(),
                account == null ? null : account.subject());
    }

    @Override
    public Optional<Session> find(byte[] tokenHash) {
        return database.read(
                "session.find", statements -> statements.first(FIND, SqlSessions::session, (Object) tokenHash));
    }

    @Override
    public List<Session> of(String person) {
        return database.read("session.of", statements -> statements.list(OF, SqlSessions::session, person));
    }

    @Override
    public void used(String session, Instant at) {
        write("session.used", USED, at, session);
    }

    @Override
    public void confirmed(String session, Instant at) {
        write("session.confirmed", CONFIRMED, at, session);
    }

    @Override
    public boolean end(String session) {
        return write("session.end", END, session) > 0;
    }

    @Override
    public void endOthers(String person, String kept) {
        write("session.end-others", END_OTHERS, person, kept);
    }

    @Override
    public void purge(Instant openedBefore, Instant usedBefore) {
        write("session.purge", PURGE, openedBefore, usedBefore);
    }

    private int write(String operation, String sql, @Nullable Object... parameters) {
        return database.write(operation, statements -> statements.update(sql, parameters));
    }

    private static Session session(Row row) throws SQLException {
        String issuer = row.textOrNull("issuer");
        return new Session(
                row.text("id"),
                row.text("person"),
                row.instant("opened_at"),
                row.instant("last_used_at"),
                row.instantOrNull("confirmed_at"),
                issuer == null ? null : new ProviderAccount(issuer, row.text("subject")));
    }
}
