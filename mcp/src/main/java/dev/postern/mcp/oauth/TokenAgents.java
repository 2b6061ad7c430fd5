package dev.postern.mcp.oauth;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.AgentStore.AgentSummary;
import dev.postern.gate.agent.Caller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which agent a token's subject and client stand for. Thread-safe. */
final class TokenAgents {
    private static final String ADDED = "oauth-";

    private final ResourceServerSettings settings;
    private final AgentStore agents;
    private final Map<String, String> ids = new ConcurrentHashMap<>();

    TokenAgents(ResourceServerSettings settings, AgentStore agents) {
        this.settings = settings;
        this.agents = agents;
    }

    /** The agent; empty if there is none, or it was revoked. */
    Optional<Caller> of(@Nullable String subject, @Nullable String client) {
        for (ResourceServerSettings.AgentRule rule : settings.agents()) {
            if (rule.fits(subject, client)) {
                return named(rule.agent(), false);
            }
        }
        return settings.addsUnknown() && subject != null ? named(ownName(subject, client), true) : Optional.empty();
    }

    private Optional<Caller> named(String name, boolean mayAdd) {
        String known = ids.get(name);
        Optional<Caller> caller = known == null ? Optional.empty() : agents.find(known);
        return caller.isPresent() ? caller : look(name, mayAdd);
    }

    private synchronized Optional<Caller> look(String name, boolean mayAdd) {
        List<AgentSummary> all = agents.list().stream()
                .filter(agent -> agent.name().equals(name))
                .toList();
        for (AgentSummary agent : all) {
            if (!agent.revoked()) {
                ids.put(name, agent.id());
                return agents.find(agent.id());
            }
        }
        if (!mayAdd || !all.isEmpty()) {
            return Optional.empty(); // one that the operator revoked stays revoked
        }
        // It has a key like any other; nobody is told.
        String id = agents.add(name, Set.of()).id();
        ids.put(name, id);
        return agents.find(id);
    }

    /** A name that shows where it comes from, and is another for each subject and client. */
    private static String ownName(String subject, @Nullable String client) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(subject.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update((client == null ? "" : client).getBytes(StandardCharsets.UTF_8));
            String readable = subject.replaceAll("[^A-Za-z0-9.@_-]", "");
            return ADDED + readable.substring(0, Math.min(24, readable.length())) + "-"
                    + HexFormat.of().formatHex(digest.digest(), 0, 4);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
