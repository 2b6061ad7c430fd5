/** Tests of the ledger at rest, on real files and with processes that are really killed. */
@NullMarked
package dev.postern.store.ledger;

import org.jspecify.annotations.NullMarked;
