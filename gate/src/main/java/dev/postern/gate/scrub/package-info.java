/**
 * The choke point (S1): every byte from a server becomes {@link dev.postern.gate.scrub.Raw} and leaves as
 * {@link dev.postern.gate.scrub.Scrubbed} or not at all.
 */
@NullMarked
package dev.postern.gate.scrub;

import org.jspecify.annotations.NullMarked;
