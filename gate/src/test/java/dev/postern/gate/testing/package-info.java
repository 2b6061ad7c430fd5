/**
 * A gate to test: the real steps over fakes of our own ports that keep what they are told in memory, count what is asked
 * of them, and fail when a test says so. {@link dev.postern.gate.testing.TestGate} puts them together.
 */
@NullMarked
package dev.postern.gate.testing;

import org.jspecify.annotations.NullMarked;
