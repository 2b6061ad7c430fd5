/**
 * JSON as bytes: checked once, read by position, rewritten by splicing.
 *
 * <p>In: the bytes of one JSON text. Out: {@link dev.postern.json.JsonValue} views on those same bytes, and
 * {@link dev.postern.json.Splice}, which replaces ranges and leaves every other byte as it came. There is no tree
 * and no typed model, because both lose what they do not know: number spelling, duplicate members, white space,
 * escapes. Rules kept: R8, S2, S10, S11 of the contract.
 */
@NullMarked
package dev.postern.json;

import org.jspecify.annotations.NullMarked;
