package dev.postern.gate.testing;

import dev.postern.gate.grant.GrantStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Grants in memory. */
public final class MemoryGrants implements GrantStore {
    private final Map<String, Grant> live = new LinkedHashMap<>();
    private Runnable afterClaim = () -> {};

    @Override
    public synchronized void add(Grant grant) {
        live.put(grant.id(), grant);
    }

    @Override
    public synchronized List<Grant> list() {
        return List.copyOf(live.values());
    }

    @Override
    public synchronized boolean revoke(String id, String actor) {
        return live.remove(id) != null;
    }

    @Override
    public synchronized int revokeAll(@Nullable String agent, String actor) {
        int before = live.size();
        live.values().removeIf(grant -> agent == null || grant.scope().agent().equals(agent));
        return before - live.size();
    }

    @Override
    public Optional<List<String>> claim(List<Scope> scopes, Instant now) {
        Optional<List<String>> claimed = claimAll(scopes, now);
        if (claimed.isPresent()) {
            afterClaim.run();
        }
        return claimed;
    }

    private synchronized Optional<List<String>> claimAll(List<Scope> scopes, Instant now) {
        List<Grant> used = new ArrayList<>();
        for (Scope scope : scopes) {
            Optional<Grant> grant = live.values().stream()
                    .filter(each -> each.scope().equals(scope) && isUsable(each, now))
                    .findFirst();
            if (grant.isEmpty()) {
                return Optional.empty();
            }
            used.add(grant.get());
        }
        for (Grant grant : used) {
            Integer left = grant.usesLeft();
            live.put(
                    grant.id(),
                    new Grant(
                            grant.id(),
                            grant.scope(),
                            grant.expires(),
                            left == null ? null : left - 1,
                            grant.created(),
                            grant.createdBy(),
                            now,
                            grant.agentName(),
                            grant.secretName()));
        }
        return Optional.of(used.stream().map(Grant::id).toList());
    }

    private static boolean isUsable(Grant grant, Instant now) {
        return (grant.expires() == null || now.isBefore(grant.expires()))
                && (grant.usesLeft() == null || grant.usesLeft() > 0);
    }

    @Override
    public synchronized boolean standing(List<String> ids, Instant now) {
        return live.keySet().containsAll(Set.copyOf(ids));
    }

    /** Runs after every claim that succeeded, before the call goes on. */
    public void afterClaim(Runnable hook) {
        afterClaim = hook;
    }
}
