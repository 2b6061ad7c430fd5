/**
 * What POSIX offers and Java does not: pseudo-terminals, a terminal's modes, and a child whose environment is bytes. In:
 * descriptors, commands, values. Out: a running child and the far end of its streams. The C library is called directly (java.lang.foreign),
 * so there is nothing to unpack and no text in between: a value that goes into an environment lies in memory of ours, which is
 * wiped as soon as the child has it. Linux and macOS, 64 bit.
 *
 * <p>Nothing here knows of secrets, references or scrubbing.
 */
@NullMarked
package dev.postern.app.posix;

import org.jspecify.annotations.NullMarked;
