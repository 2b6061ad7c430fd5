/** Tests of the agents' side over real HTTP. */
@NullMarked
package dev.postern.mcp.server;

import org.jspecify.annotations.NullMarked;
