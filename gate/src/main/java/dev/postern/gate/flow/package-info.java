/**
 * The governed call, step by step in the order of the contract. Start reading at {@link dev.postern.gate.flow.GovernedCall}.
 */
@NullMarked
package dev.postern.gate.flow;

import org.jspecify.annotations.NullMarked;
