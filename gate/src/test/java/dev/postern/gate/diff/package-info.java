/** What changed between two texts. */
@NullMarked
package dev.postern.gate.diff;

import org.jspecify.annotations.NullMarked;
