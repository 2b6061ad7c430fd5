/** OAuth on both sides, against authorization servers that are really there. */
@NullMarked
package dev.postern.mcp.oauth;

import org.jspecify.annotations.NullMarked;
