package dev.postern.app.wiring;

import dev.postern.store.Store;
import dev.postern.web.auth.AgentKeys;
import dev.postern.web.http.ErrorPages;
import dev.postern.web.http.Route;
import dev.postern.web.http.Router;
import java.util.ArrayList;
import java.util.List;

/** The HTTP API and the portal, made of a gateway's parts. */
final class WebFront {
    private WebFront() {}

    static Router router(Store store) {
        List<Route> routes = new ArrayList<>();
        return new Router(routes, new AgentKeys(store.agents()), ErrorPages.PLAIN);
    }
}
