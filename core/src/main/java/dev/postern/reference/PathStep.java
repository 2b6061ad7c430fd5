package dev.postern.reference;

import org.jspecify.annotations.Nullable;

/**
 * One step down into a JSON tree.
 *
 * @param name of the member of an object, or null where the step is into an array
 * @param index of the element of an array, else -1
 */
record PathStep(@Nullable String name, int index) {}
