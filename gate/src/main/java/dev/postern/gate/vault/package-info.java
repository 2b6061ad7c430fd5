/**
 * The vault as the governed call sees it: find a secret, check where it may go (P9), open a value for one delivery.
 */
@NullMarked
package dev.postern.gate.vault;

import org.jspecify.annotations.NullMarked;
