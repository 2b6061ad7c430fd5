/** Tests of tool calls inside one process: echo and hash, refusals, the memory of values, failures. */
@NullMarked
package dev.postern.tool;

import org.jspecify.annotations.NullMarked;
