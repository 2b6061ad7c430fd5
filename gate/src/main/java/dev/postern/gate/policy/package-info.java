/**
 * What is allowed: the policy document, the kill switch, and the judgement of steps 0 and 3 to 6. Reads no vault (P1).
 */
@NullMarked
package dev.postern.gate.policy;

import org.jspecify.annotations.NullMarked;
