/**
 * Cases with the right answer, as data. In: the JSON files under {@code cases/} on the class path, each an array of
 * cases with a name. Out: records, one type a file, in the file's order. A case is run through every entry point that
 * claims its rule.
 */
@NullMarked
package dev.postern.testkit.cases;

import org.jspecify.annotations.NullMarked;
