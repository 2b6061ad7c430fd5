/**
 * What changed between two texts that a person decides on: two revisions of the policy, two definitions of a tool. In: two
 * texts. Out: lines, each kept, removed or added. No I/O.
 */
@NullMarked
package dev.postern.gate.diff;

import org.jspecify.annotations.NullMarked;
