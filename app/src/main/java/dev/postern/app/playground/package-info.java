/**
 * A small MCP server inside the gateway, offered when no other is configured, so that a first call needs nothing else.
 * In: messages as bytes. Out: answers as bytes, in both eras. What it is given it keeps as bytes, in memory only.
 */
@NullMarked
package dev.postern.app.playground;

import org.jspecify.annotations.NullMarked;
