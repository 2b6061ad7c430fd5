/**
 * {@code postern connect}: an MCP server on standard streams for clients that start one. In: JSON-RPC lines on standard
 * input. Out: JSON-RPC lines on standard output. The running gateway does the work, behind the control socket; this side
 * only carries bytes, and loads next to nothing, so that it answers at once.
 */
@NullMarked
package dev.postern.app.connect;

import org.jspecify.annotations.NullMarked;
