/**
 * What is asked and what it comes to: {@link dev.postern.gate.call.ToolCall} goes in, {@link dev.postern.gate.call.Outcome}
 * comes out, {@link dev.postern.gate.call.Refusal} says why not. Vocabulary only; decides nothing.
 */
@NullMarked
package dev.postern.gate.call;

import org.jspecify.annotations.NullMarked;
