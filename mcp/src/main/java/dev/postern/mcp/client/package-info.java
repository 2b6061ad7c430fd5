/**
 * The servers' side: one conversation with one configured server over a child process or Streamable HTTP, in the era the
 * server speaks. In: {@link dev.postern.mcp.client.ServerSpec}. Out: {@link dev.postern.mcp.client.ServerConnection}, whose
 * answers are {@link dev.postern.gate.scrub.Raw}.
 */
@NullMarked
package dev.postern.mcp.client;

import org.jspecify.annotations.NullMarked;
