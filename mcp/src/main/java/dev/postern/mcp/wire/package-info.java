/**
 * JSON-RPC messages of the Model Context Protocol as bytes with a light index, and the vocabulary of its two eras. No
 * typed model: what is not understood passes as it came.
 */
@NullMarked
package dev.postern.mcp.wire;

import org.jspecify.annotations.NullMarked;
