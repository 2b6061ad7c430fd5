/**
 * Secrets nobody told us about, on their way through the gate (D6). In: a call's arguments, a server's message that was
 * scrubbed, a text of our own; and for each server and direction a {@link dev.postern.gate.detect.DetectionMode}. Out: the
 * same bytes, or with what was found masked or captured; and {@link dev.postern.gate.detect.Detected}, which says what was
 * found, never the value. {@link dev.postern.gate.detect.CapturedValues} keeps captured values in memory, by agent, and
 * nowhere else.
 */
@NullMarked
package dev.postern.gate.detect;

import org.jspecify.annotations.NullMarked;
