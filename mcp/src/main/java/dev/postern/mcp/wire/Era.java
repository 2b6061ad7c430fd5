package dev.postern.mcp.wire;

/** The two ways of speaking MCP: sessions with a handshake, or metadata on each request. */
public enum Era {
    /** 2025-11-25 and earlier: {@code initialize}, {@code Mcp-Session-Id}, requests in both directions. */
    LEGACY,
    /** 2026-07-28 and later: stateless, {@code _meta} on each request, multi-round-trip results. */
    MODERN
}
