package dev.postern.gate.vault;

import dev.postern.gate.call.ToolName;
import java.util.List;
import java.util.Locale;

/**
 * Where a secret may go (P9). An empty list leaves that axis open.
 *
 * @param servers names of servers
 * @param tools names of tools, as {@code server__tool}
 * @param hosts host names without a port; {@code *.example.com} stands for every host below {@code example.com}
 */
public record DestinationRules(List<String> servers, List<String> tools, List<String> hosts) {
    public static final DestinationRules ANYWHERE = new DestinationRules(List.of(), List.of(), List.of());

    public DestinationRules {
        servers = List.copyOf(servers);
        tools = List.copyOf(tools);
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
    }

    /**
     * Rules as a person writes them.
     *
     * @throws IllegalArgumentException if a host is none: a rule with a scheme, a port or a path would match nothing
     */
    public static DestinationRules written(List<String> servers, List<String> tools, List<String> hosts) {
        for (String host : hosts) {
            String name = host.startsWith("*.") ? host.substring(2) : host;
            boolean isName = name.chars().allMatch(c -> c == '.' || c == '-' || Character.isLetterOrDigit(c));
            boolean isAddress = name.startsWith("[") && name.endsWith("]");
            if (name.isEmpty() || !(isName || isAddress)) {
                throw new IllegalArgumentException(
                        "A host is a name without scheme, port or path, such as api.example.com or *.example.org.");
            }
        }
        return new DestinationRules(servers, tools, hosts);
    }

    /** Whether a secret may go to a tool of which nobody can say what host it leads to: none that is bound to hosts may. */
    public boolean allowsHostless(ToolName tool) {
        return (servers.isEmpty() || servers.contains(tool.server()))
                && (tools.isEmpty() || tools.contains(tool.toString()))
                && hosts.isEmpty();
    }

    /** Whether the list of hosts names this one, which is in lower case. */
    boolean allowsHost(String host) {
        return hosts.stream()
                .anyMatch(rule -> rule.startsWith("*.") ? host.endsWith(rule.substring(1)) : rule.equals(host));
    }
}
