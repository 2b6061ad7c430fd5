package dev.postern.app.wiring;

import dev.postern.app.Version;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.person.Person;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.policy.Policies;
import dev.postern.mcp.relay.Relay;
import dev.postern.store.Store;
import dev.postern.store.ledger.LedgerReader;
import dev.postern.web.api.Metrics;
import dev.postern.web.api.OpenApi;
import dev.postern.web.api.WebApi;
import dev.postern.web.auth.AgentKeys;
import dev.postern.web.auth.Authentication;
import dev.postern.web.auth.OpenIdRoutes;
import dev.postern.web.auth.PasskeyApi;
import dev.postern.web.auth.People;
import dev.postern.web.auth.RelyingParty;
import dev.postern.web.auth.SessionApi;
import dev.postern.web.auth.Sessions;
import dev.postern.web.auth.SignInRoutes;
import dev.postern.web.http.Route;
import dev.postern.web.http.Router;
import dev.postern.web.portal.Portal;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The HTTP API and the portal, made of a gateway's parts. */
final class WebFront implements AutoCloseable {
    private final People people;
    private final Portal portal;
    private final Router router;

    private WebFront(People people, Portal portal, Router router) {
        this.people = people;
        this.portal = portal;
        this.router = router;
    }

    /**
     * The parts of a gateway that people and programs reach over HTTP.
     *
     * @param links the routes of one-time links
     * @param openId the provider with whose accounts people sign in; null for none
     * @param address under which people reach the portal; null for this machine alone
     */
    record Parts(
            Path directory,
            Store store,
            Approvals approvals,
            Policies policies,
            KillSwitch killSwitch,
            Pins pins,
            Relay relay,
            Metrics metrics,
            Portal.Parts portal,
            List<Route> links,
            @Nullable URI address,
            @Nullable OpenIdSignIn openId,
            InstantSource clock) {}

    static WebFront of(Parts parts) {
        Store store = parts.store();
        People people = new People(store.people(), parts.clock());
        Sessions sessions = new Sessions(store.sessions(), people, parts.clock());
        Portal portal = new Portal(parts.portal(), people, sessions);
        List<Route> routes = new ArrayList<>(portal.routes());
        PasskeyApi passkeys =
                new PasskeyApi(people, sessions, store.passkeys(), new RelyingParty(parts.address()), parts.clock());
        @Nullable OpenIdSignIn openId = parts.openId();
        SignInRoutes signIn = new SignInRoutes(
                people,
                sessions,
                passkeys,
                portal.signInPages(),
                openId == null ? "" : openId.settings().name());
        routes.addAll(signIn.routes());
        if (openId != null) {
            routes.addAll(new OpenIdRoutes(
                            openId.settings(),
                            openId.provider(),
                            people,
                            sessions,
                            signIn,
                            openId.address(),
                            store.passkeys(),
                            parts.clock())
                    .routes());
        }
        routes.addAll(passkeys.routes());
        routes.addAll(new SessionApi(people, sessions).routes());
        routes.addAll(new WebApi(new WebApi.Parts(
                        store.vault(),
                        store::vaultWriter,
                        store.keys(),
                        parts.approvals(),
                        store.grants(),
                        store.agents(),
                        parts.policies(),
                        parts.killSwitch(),
                        () -> LedgerReader.open(parts.directory()),
                        people,
                        parts.pins(),
                        parts.portal().user(),
                        parts.relay(),
                        parts.metrics()))
                .routes());
        routes.addAll(parts.links());
        routes.add(new OpenApi(() -> List.copyOf(routes), Version.current()).route());
        Authentication authentication = new Authentication(new AgentKeys(store.agents()), sessions);
        return new WebFront(people, portal, new Router(routes, authentication, portal.errorPages(), parts.address()));
    }

    Router router() {
        return router;
    }

    People people() {
        return people;
    }

    /** The path of a link that signs the operator in, until they did so for the first time. */
    @Nullable
    String firstSignIn() {
        Person operator = people.operator();
        return operator.lastSignIn() == null && !operator.hasPassphrase()
                ? people.link(operator, operator.name(), People.LINK_LIFETIME)
                : null;
    }

    /** Ends open streams, and wipes what was uploaded and not taken over. */
    @Override
    public void close() {
        router.close();
        portal.close();
    }
}
