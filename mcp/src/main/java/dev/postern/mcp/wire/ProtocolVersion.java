package dev.postern.mcp.wire;

import java.util.List;

/** The revisions of MCP that Postern speaks, by their dates. Newest first wherever there is an order. */
public final class ProtocolVersion {
    /** The newest revision of the modern era. */
    public static final String MODERN = "2026-07-28";
    /** The newest revision of the legacy era. */
    public static final String LEGACY = "2025-11-25";

    private static final List<String> MODERN_VERSIONS = List.of(MODERN);
    private static final List<String> LEGACY_VERSIONS = List.of(LEGACY, "2025-06-18", "2025-03-26", "2024-11-05");

    private ProtocolVersion() {}

    /** The revisions of an era. {@code 2024-11-05} is spoken with servers; its HTTP transport is not offered to agents. */
    public static List<String> of(Era era) {
        return switch (era) {
            case MODERN -> MODERN_VERSIONS;
            case LEGACY -> LEGACY_VERSIONS;
        };
    }

    /** Whether Postern speaks this revision in this era. */
    public static boolean isSpoken(Era era, String version) {
        return of(era).contains(version);
    }
}
