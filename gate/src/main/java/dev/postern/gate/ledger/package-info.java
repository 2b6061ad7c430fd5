/**
 * The ledger as the governed call sees it (L1 to L3): a durable intent before anything leaves, one entry a call.
 */
@NullMarked
package dev.postern.gate.ledger;

import org.jspecify.annotations.NullMarked;
