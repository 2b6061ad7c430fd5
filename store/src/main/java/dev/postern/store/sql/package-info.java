/**
 * The database and the repositories on it: vault, agents, policy, approvals, grants, and the log of what operators did.
 *
 * <p>In: calls at the gate's ports, from any thread. Out: rows of one SQLite database, and their content again. A write is
 * on the disk when its method returns. What must happen once (an approval, a use of a grant) is a conditional write, so
 * the database decides it and not this process's memory (P4, P5). Values are sealed before they get here (V2); no
 * exception carries a driver's message, which may quote a row.
 *
 * <p>The SQL is what SQLite and PostgreSQL both understand; what differs is in the migrations' folder of each and in
 * {@link dev.postern.store.sql.SqliteDatabase}.
 */
@NullMarked
package dev.postern.store.sql;

import org.jspecify.annotations.NullMarked;
