package dev.postern.web.portal;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.agent.Right;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.grant.GrantStore.Grant;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.web.http.Access;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.GrantsPage;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.Page;
import dev.postern.web.portal.view.VisibleText;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Grants: listed, with their last use, and revoked at once (P4). */
final class GrantPages {
    private final Pages pages;
    private final GrantStore grants;
    private final AgentStore agents;
    private final Vault vault;
    private final InstantSource clock;

    GrantPages(Pages pages, GrantStore grants, AgentStore agents, Vault vault, InstantSource clock) {
        this.pages = pages;
        this.grants = grants;
        this.agents = agents;
        this.vault = vault;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.page("GET", "/grants", Access.needs(Right.SEE_APPROVALS), this::list),
                Route.page("POST", "/grants/revoke", Access.needs(Right.REVOKE_GRANTS), this::revoke));
    }

    private Reply list(Request request) {
        return pages.show(
                request, Page.GRANTS, "grants", new GrantsPage(rows(grants.list()), request.may(Right.REVOKE_GRANTS)));
    }

    /** The live grants of one secret. */
    List<GrantsPage.Row> of(UUID secret) {
        return rows(grants.list().stream()
                .filter(grant -> grant.scope().secret().equals(secret))
                .toList());
    }

    private Reply revoke(Request request) {
        boolean revoked =
                grants.revoke(SecretFields.text(request, "id"), request.person().name());
        return Flashes.redirect(
                request,
                "/grants",
                revoked
                        ? Flash.good("The grant is revoked: the next such call asks again.")
                        : Flash.warn("That grant was over already."));
    }

    private List<GrantsPage.Row> rows(List<Grant> list) {
        if (list.isEmpty()) {
            return List.of();
        }
        Map<UUID, String> secrets =
                vault.list().stream().collect(Collectors.toMap(SecretRecord::id, SecretRecord::name));
        Map<String, String> names = agents.list().stream()
                .collect(Collectors.toMap(AgentStore.AgentSummary::id, AgentStore.AgentSummary::name, (a, _) -> a));
        Instant now = clock.instant();
        return list.stream()
                .map(grant -> new GrantsPage.Row(
                        grant.id(),
                        names.getOrDefault(grant.scope().agent(), "an agent that is gone"),
                        VisibleText.of(grant.scope().tool().replace("__", " › "))
                                .segments(),
                        secrets.getOrDefault(grant.scope().secret(), "a removed secret") + ", "
                                + grant.scope().field().label(),
                        VisibleText.of(grant.scope().destination()).segments(),
                        moment(grant.expires(), now),
                        grant.usesLeft() == null ? "any number" : String.valueOf(grant.usesLeft()),
                        grant.createdBy(),
                        new Moment(grant.created(), now),
                        moment(grant.lastUsed(), now)))
                .toList();
    }

    private static @Nullable Moment moment(@Nullable Instant at, Instant now) {
        return at == null ? null : new Moment(at, now);
    }
}
