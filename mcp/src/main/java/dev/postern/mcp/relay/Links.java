package dev.postern.mcp.relay;

import java.util.List;

/** The servers within reach of one conversation. */
interface Links {
    /** In the order of the configuration. */
    List<String> names();

    /**
     * A configured server, running or not.
     *
     * @throws AnswerException if none has this name
     */
    ServerLink link(String server);
}
