/**
 * Postern for Spring AI: thin shells around {@code postern-core}.
 *
 * <p>In: what a model says, and the calls it makes. Out: {@link dev.postern.springai.SanitizingAdvisor} hands on replies
 * with secrets masked, before they are converted, remembered or validated; {@link dev.postern.springai.GuardedToolCallback}
 * runs a tool with values for references, and hands on what it answers without the values. Rules kept: D2, D3, D7; R3 to
 * R9, R11, S1 to S10 as far as they concern one process. What these rules cost in a framework whose API is made of strings
 * is said in docs/library.md.
 */
@NullMarked
package dev.postern.springai;

import org.jspecify.annotations.NullMarked;
