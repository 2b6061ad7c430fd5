/** Tests of the store as a whole, on real SQLite in temporary directories, and what they share. */
@NullMarked
package dev.postern.store;

import org.jspecify.annotations.NullMarked;
