/**
 * The ledger at rest (L1 to L3): two hash chains in one database, and everything that reads them.
 *
 * <p>In: intents and entries from the governed call ({@link dev.postern.store.ledger.SqlLedger}). Out: lines of JSON that
 * prove their own order ({@link dev.postern.store.ledger.LedgerReader}), with or without a running gateway, and without a
 * key. A line is rendered from a row's columns, and its hash is the SHA-256 of the line without the hash, so any changed
 * column shows. docs/adr/store-ledger.md says why it is built so.
 */
@NullMarked
package dev.postern.store.ledger;

import org.jspecify.annotations.NullMarked;
