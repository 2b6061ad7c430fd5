package dev.postern.mcp.wire;

/** The reserved members of {@code _meta} that Postern reads or writes (2026-07-28, basic, section "_meta"). */
public final class MetaKeys {
    public static final String META = "_meta";
    public static final String PROGRESS_TOKEN = "progressToken";
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    private MetaKeys() {}
}
