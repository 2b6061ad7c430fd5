/**
 * Finding secrets nobody told us about, and masking them.
 *
 * <p>In: text (a tool's result, a model's reply, a file) as {@code String} or UTF-8 bytes, and
 * {@link dev.postern.detect.DetectionRules}. Out: {@link dev.postern.detect.Finding}s, which say which rule matched
 * where and never what, or the same text with each found span replaced. {@link dev.postern.detect.SecretDetector}
 * reports, {@link dev.postern.detect.ResponseSanitizer} masks text, {@link dev.postern.detect.JsonMasker} masks a JSON
 * message and lets the caller choose each replacement.
 *
 * <p>How: one keyword automaton reads the text once; where a keyword ends, the few rules that own it are tried by
 * verifiers anchored there. Verifiers never go back over what they took, so the cost is linear in the text whatever
 * the text is (S12). Where the text, or a fenced part of it, is JSON, it is read string by string, decoded, so that
 * JSON stays JSON. Rules kept: D1 to D5 and D7 of the contract.
 */
@NullMarked
package dev.postern.detect;

import org.jspecify.annotations.NullMarked;
