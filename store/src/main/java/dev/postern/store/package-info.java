/**
 * Everything at rest, wired: {@link dev.postern.store.Store} opens a data directory with a key and gives out the
 * implementations of the gate's ports.
 */
@NullMarked
package dev.postern.store;

import org.jspecify.annotations.NullMarked;
