package dev.postern.web.portal.view;

import java.util.List;

/**
 * A key that was just made: shown this once.
 *
 * @param mcp the endpoint's address
 * @param clients how to give it to each client
 */
public record AgentKeyPage(String name, String key, String mcp, List<Client> clients) {
    /** A client and the line to paste. */
    public record Client(String name, String line) {}

    @Override
    public String toString() {
        return "AgentKeyPage[" + name + "]";
    }
}
