/**
 * Taking live secret values out of what comes back (S1 to S15).
 *
 * <p>In: the bytes of a JSON message or of plain text, and the values that must not be seen in it. Out: the same bytes
 * with each occurrence of a value, in any of the forms of S3, replaced by its placeholder; every other byte as it came;
 * the very same array where nothing was found. A message that cannot be walked yields nothing at all (S10).
 *
 * <p>{@link dev.postern.scrub.Scrubber} is the way in. Behind it, {@code Forms} chooses what to look for,
 * {@code Automaton}, {@code Readings} and {@code Matcher} look for it, {@code Blocks} opens base64 and hex, and
 * {@code Occurrences} unites what was found and splices.
 */
@NullMarked
package dev.postern.scrub;

import org.jspecify.annotations.NullMarked;
