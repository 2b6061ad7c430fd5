package dev.postern.mcp.relay;

import dev.postern.gate.upstream.UpstreamException;
import dev.postern.mcp.client.ServerSpec;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The configured servers, as they stand now. Kept by whoever reads the configuration; it may change at any time.
 * Thread-safe.
 */
public interface Servers {
    /** Every server's name, in the order of the configuration. None contains {@code __}. */
    List<String> names();

    /**
     * How to start a server: variables expanded, references resolved (R10). Made anew for each start; whoever asked
     * owns its values.
     *
     * @throws UpstreamException if there is no such server, or its configuration cannot be resolved
     */
    ServerSpec spec(String name);

    /**
     * Calls {@code listener} with the names of the servers that were added, removed or changed, after each change.
     *
     * @return ends the calls when closed
     */
    Registration onChange(Consumer<Set<String>> listener);

    /** A listener's place in the list. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
