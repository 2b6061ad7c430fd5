/**
 * Tool definitions that a person approved by approving a call (P5). In: what servers list, and calls that were confirmed. Out:
 * which definitions were changed since, what changed, and a refusal for a secret that would go to one of them until a
 * person has accepted it.
 */
@NullMarked
package dev.postern.gate.definition;

import org.jspecify.annotations.NullMarked;
