package dev.postern.mcp.wire;

/** The HTTP headers of the Streamable HTTP transport, in both eras. Compared without case. */
public final class HeaderNames {
    public static final String PROTOCOL_VERSION = "MCP-Protocol-Version";
    /** Modern: the body's {@code method}. */
    public static final String METHOD = "Mcp-Method";
    /** Modern: the body's {@code params.name}, {@code params.uri} or {@code params.taskId}; a {@link HeaderValue}. */
    public static final String NAME = "Mcp-Name";
    /** Modern: prefix of the headers that mirror tool parameters marked {@code x-mcp-header}; each a {@link HeaderValue}. */
    public static final String PARAMETER_PREFIX = "Mcp-Param-";
    /** Legacy. */
    public static final String SESSION_ID = "Mcp-Session-Id";
    /** Legacy: the event after which a stream is taken up again. */
    public static final String LAST_EVENT_ID = "Last-Event-ID";

    private HeaderNames() {}
}
