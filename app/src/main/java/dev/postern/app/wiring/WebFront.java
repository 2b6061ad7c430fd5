package dev.postern.app.wiring;

import dev.postern.store.Store;
import dev.postern.web.auth.AgentKeys;
import dev.postern.web.http.Route;
import dev.postern.web.http.Router;
import dev.postern.web.portal.Portal;
import java.util.ArrayList;
import java.util.List;

/** The HTTP API and the portal, made of a gateway's parts. */
final class WebFront {
    private WebFront() {}

    static Router router(Store store, Portal portal) {
        List<Route> routes = new ArrayList<>(portal.routes());
        return new Router(routes, new AgentKeys(store.agents()), portal.errorPages());
    }
}
