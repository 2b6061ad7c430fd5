/**
 * One tool call inside this process: references in, values to the tool, references back out.
 *
 * <p>In: the arguments as an agent wrote them, and where values come from. Out: what the tool answered, with every value
 * taken out again. {@link dev.postern.tool.ToolGuard} is the whole of it; the adapters for agent frameworks are thin
 * shells around it. Rules kept: R3 to R9, S1 to S10 as far as they concern one process; asking a person is the
 * caller's part.
 */
@NullMarked
package dev.postern.tool;

import org.jspecify.annotations.NullMarked;
