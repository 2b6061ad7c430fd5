/**
 * Postern for LangChain4j: thin shells around {@code postern-core}.
 *
 * <p>In: what a model says, and the calls it makes. Out: {@link dev.postern.langchain4j.SanitizingGuardrail} hands on
 * replies with secrets masked, before an AI service parses them; {@link dev.postern.langchain4j.GuardedTools} runs tools
 * with values for references, and hands on what they answer without the values. Rules kept: D2, D3, D7; R3 to R9, R11,
 * S1 to S10 as far as they concern one process. What these rules cost in a framework whose API is made of strings is
 * said in docs/library.md.
 */
@NullMarked
package dev.postern.langchain4j;

import org.jspecify.annotations.NullMarked;
