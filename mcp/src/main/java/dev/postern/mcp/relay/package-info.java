/**
 * Between an agent and its servers, whatever carries the bytes. In: {@link dev.postern.mcp.wire.Message}s of an
 * authenticated {@link dev.postern.gate.agent.Caller}. Out: {@link dev.postern.mcp.relay.Outbound} messages, which can only
 * be made from what passed the choke point (S1) or from words of our own. A legacy client has a
 * {@link dev.postern.mcp.relay.LegacyConversation} with server connections of its own; modern clients are served request
 * by request by {@link dev.postern.mcp.relay.ModernConversation} over connections shared per agent. Every {@code tools/call}
 * goes through {@link dev.postern.gate.flow.GovernedCall}; everything else passes byte for byte (R8, R10).
 */
@NullMarked
package dev.postern.mcp.relay;

import org.jspecify.annotations.NullMarked;
