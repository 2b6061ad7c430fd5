package dev.postern.gate.vault;

import java.util.List;

/** Where a secret may go (P9). An empty list leaves that axis open. Tools are named {@code server__tool}. */
public record DestinationRules(List<String> servers, List<String> tools, List<String> hosts) {
    public static final DestinationRules ANYWHERE = new DestinationRules(List.of(), List.of(), List.of());

    public DestinationRules {
        servers = List.copyOf(servers);
        tools = List.copyOf(tools);
        hosts = hosts.stream()
                .map(host -> host.toLowerCase(java.util.Locale.ROOT))
                .toList();
    }
}
