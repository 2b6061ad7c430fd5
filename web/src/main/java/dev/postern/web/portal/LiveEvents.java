package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.json.JsonWriter;
import dev.postern.web.http.Access;
import dev.postern.web.http.EventSink;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells open pages that something changed; they then ask for it. An event holds counts and states, nothing of a call: a page
 * that missed some is right again after the next one, or after {@code hello}, with which every connection starts.
 */
final class LiveEvents {
    private final Approvals approvals;
    private final KillSwitch killSwitch;
    private final InstantSource clock;

    LiveEvents(Approvals approvals, KillSwitch killSwitch, InstantSource clock) {
        this.approvals = approvals;
        this.killSwitch = killSwitch;
        this.clock = clock;
    }

    List<Route> routes() {
        Access access = Access.needs(Right.SEE_APPROVALS);
        return List.of(
                Route.page("GET", "/live", access, _ -> Reply.events(this::subscribe))
                        .inBackground(),
                Route.page("GET", "/live/state", access, this::state).inBackground());
    }

    private AutoCloseable subscribe(EventSink sink) {
        AutoCloseable waiting = approvals.listen(_ -> sink.send("approvals", json()));
        AutoCloseable stopping = killSwitch.listen(_ -> sink.send("kill", json()));
        sink.send("hello", json());
        return () -> {
            waiting.close();
            stopping.close();
        };
    }

    private Reply state(Request request) {
        return Reply.json(document());
    }

    private String json() {
        return new String(JsonWriter.write(document()), StandardCharsets.UTF_8);
    }

    private Map<String, Object> document() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("now", clock.millis());
        state.put("waiting", approvals.waiting());
        state.put("killed", killSwitch.stopsAll());
        return state;
    }
}
