/**
 * The port to the MCP servers. The only reader of {@link dev.postern.gate.substitute.Armed} arguments is behind it.
 */
@NullMarked
package dev.postern.gate.upstream;

import org.jspecify.annotations.NullMarked;
