package dev.postern.store.ledger;

import dev.postern.store.sql.Statements;
import java.sql.SQLException;

/** Where a chain ends. */
record Head(long position, String hash) {
    private static final String READ = "SELECT position, hash FROM ledger_head WHERE chain = ?";
    private static final String WRITE = "UPDATE ledger_head SET position = ?, hash = ? WHERE chain = ?";

    /** Before the first line. */
    static final Head ORIGIN = new Head(0, LineFormat.ORIGIN);

    static Head of(LineFormat chain, Statements statements) throws SQLException {
        return statements
                .first(READ, row -> new Head(row.number("position"), row.text("hash")), chain.table())
                .orElse(ORIGIN);
    }

    void write(LineFormat chain, Statements statements) throws SQLException {
        statements.update(WRITE, position, hash, chain.table());
    }
}
