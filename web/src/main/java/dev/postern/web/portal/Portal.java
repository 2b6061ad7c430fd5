package dev.postern.web.portal;

import dev.postern.gate.agent.AgentStore;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.grant.GrantStore;
import dev.postern.gate.link.PersonalLinks;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.mcp.relay.Relay;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.web.auth.People;
import dev.postern.web.auth.Sessions;
import dev.postern.web.auth.SignInPages;
import dev.postern.web.http.ErrorPages;
import dev.postern.web.http.Route;
import dev.postern.web.portal.imports.PendingImports;
import dev.postern.web.server.ServerQuestions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Every page of the portal, as routes. Closing it wipes what was uploaded and not yet taken over. */
public final class Portal implements AutoCloseable {
    private final List<Route> routes;
    private final ErrorPages errors;
    private final SignInPages signIn;
    private final PendingImports imports;

    /**
     * What the pages show and change.
     *
     * @param vaultWriters writes the vault in a person's name
     * @param user whose memory of recent values a link's value joins (S9)
     * @param ledger opens it, for one request
     * @param approvalTimeout how long a decision waits for the agent (P7)
     */
    public record Parts(
            Approvals approvals,
            Policies policies,
            KillSwitch killSwitch,
            Pins pins,
            Vault vault,
            Function<String, VaultWriter> vaultWriters,
            AgentStore agents,
            GrantStore grants,
            PersonalLinks links,
            Relay relay,
            String user,
            Supplier<LedgerReader> ledger,
            Duration approvalTimeout,
            InstantSource clock) {}

    public Portal(Parts parts, People people, Sessions sessions) {
        InstantSource clock = parts.clock();
        Pages pages = new Pages(parts.approvals(), parts.killSwitch(), clock);
        ApprovalView view = new ApprovalView(parts.approvals(), parts.ledger(), parts.approvalTimeout(), clock);
        GrantPages grants = new GrantPages(pages, parts.grants(), parts.agents(), parts.vault(), clock);
        AgentNames names = new AgentNames(parts.agents());
        imports = new PendingImports(clock);
        errors = new PortalErrors(pages);
        signIn = new PortalSignIn(pages);
        routes = Stream.of(
                        List.of(pages.assets()),
                        new LiveEvents(parts.approvals(), parts.killSwitch(), clock).routes(),
                        new OverviewPages(
                                        pages,
                                        parts.ledger(),
                                        parts.approvals(),
                                        parts.vault(),
                                        parts.grants(),
                                        names,
                                        clock)
                                .routes(),
                        new ApprovalPages(pages, parts.approvals(), view).routes(),
                        new VaultPages(pages, parts.vault(), parts.vaultWriters(), grants, clock).routes(),
                        new ImportPages(pages, parts.vault(), parts.vaultWriters(), imports).routes(),
                        grants.routes(),
                        new LedgerPages(pages, parts.ledger(), names, parts.vault(), clock).routes(),
                        new PolicyPages(pages, parts.policies()).routes(),
                        new AgentPages(pages, parts.agents(), clock).routes(),
                        new ServerPages(
                                        pages,
                                        new ServerQuestions(parts.relay(), parts.user()),
                                        parts.killSwitch(),
                                        parts.pins())
                                .routes(),
                        new DefinitionPages(pages, parts.pins()).routes(),
                        new LinkPages(pages, parts.links(), parts.user(), clock).routes(),
                        new PeoplePages(pages, people, sessions, clock).routes(),
                        new KillPages(parts.killSwitch()).routes())
                .flatMap(List::stream)
                .toList();
    }

    /** For the router. */
    public List<Route> routes() {
        return routes;
    }

    /** How problems look. */
    public ErrorPages errorPages() {
        return errors;
    }

    /** How signing in looks. */
    public SignInPages signInPages() {
        return signIn;
    }

    @Override
    public void close() {
        imports.close();
    }
}
