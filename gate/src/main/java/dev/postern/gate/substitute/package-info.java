/**
 * The two ends of a reference's life in a call: found in the arguments (steps 1 and 2), replaced by its value (step 10).
 * {@link dev.postern.gate.substitute.Armed} holds the values; only the upstream side may read it.
 */
@NullMarked
package dev.postern.gate.substitute;

import org.jspecify.annotations.NullMarked;
