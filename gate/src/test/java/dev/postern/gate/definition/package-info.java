/** Pinned tool definitions. */
@NullMarked
package dev.postern.gate.definition;

import org.jspecify.annotations.NullMarked;
