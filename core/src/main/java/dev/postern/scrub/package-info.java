/**
 * Taking live secret values out of what comes back (S1 to S15).
 *
 * <p>In: the bytes of a JSON message or of plain text, and the values that must not be seen in it. Out: the same bytes
 * with each occurrence of a value, in any of the forms of S3, replaced by its placeholder; every other byte as it came;
 * the very same array where nothing was found. A message that cannot be walked yields nothing at all (S10).
 * {@link dev.postern.scrub.Scrubber} is the way in, {@link dev.postern.scrub.TextScrubber} for text that arrives in pieces.
 *
 * <h2>How</h2>
 *
 * <p>Most results hold no value, so most of the work is to be sure of that at the speed of memory. Nearly all of the rest
 * of a result with a value in it holds none either. So a message is looked at twice: from afar, all of it; closely, only
 * where something showed.
 *
 * <p><b>From afar</b> ({@code Watch}). A value can be in a text in three ways only. It stands there as it is, or as its base64
 * or hex: then a few characters of it that nobody escapes without need, a factor, show in plain sight ({@code Factors},
 * {@code GramFilter}: one gram in every few bytes is looked up). Or something of it is escaped: then an escape shows that could
 * hide part of a factor ({@code EscapeWatch}; a line feed, a quote or a space cannot, which is why text full of those
 * costs nothing). Or it was escaped first and encoded then: then a run of base64 or hex opens to text that shows one of
 * these ({@code RunWatch}, {@code Runs}). {@code JsonPass} checks meanwhile that the message is JSON. Where nothing shows, the
 * message goes on as it is.
 *
 * <p><b>Closely</b> ({@code Scan}). {@code Windows} takes around each sign as much as a value there can reach. {@code EscapeReader}
 * lists for each position every character that can be read there and where the text goes on after it; {@code Automaton}
 * holds the patterns ({@code Forms}); {@code Matcher} follows them along every reading, so that each character of a value may
 * have come through another chain of escapes. {@code Blocks} opens base64 and hex and begins anew inside. {@code Seams} joins
 * what lies around the border of adjacent text blocks (S4).
 *
 * <p><b>Then</b> all places found are united ({@code Occurrences}) and replaced once, in the original bytes ({@code Rewrite}).
 *
 * <p>Both looks at all of a message, {@code GramFilter}'s hashes and {@code Marks}, are loops without branches over blocks
 * that fit the processor's nearest cache, so that the virtual machine can turn them into vector instructions.
 *
 * <p>Cost: linear in the text, whatever the text, and from afar nearly flat in the number of values. What keeps the two
 * looks honest is a test that runs both on random messages, and another that decodes what comes out by code of its own.
 */
@NullMarked
package dev.postern.scrub;

import org.jspecify.annotations.NullMarked;
