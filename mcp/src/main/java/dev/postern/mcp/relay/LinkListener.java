package dev.postern.mcp.relay;

import dev.postern.gate.scrub.ChokePoint;
import dev.postern.gate.scrub.Raw;
import dev.postern.mcp.client.ServerListener;
import dev.postern.mcp.wire.JsonRpc;
import dev.postern.mcp.wire.MalformedMessageException;
import dev.postern.scrub.ScrubFailedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a server's own messages through the choke point before anyone sees them (S1). What cannot be scrubbed ends here (S10). */
final class LinkListener implements ServerListener {
    private static final Logger LOG = LoggerFactory.getLogger(LinkListener.class);

    private final ServerLink link;
    private final LinkEvents events;
    private final ChokePoint chokePoint;

    LinkListener(ServerLink link, LinkEvents events, ChokePoint chokePoint) {
        this.link = link;
        this.events = events;
        this.chokePoint = chokePoint;
    }

    @Override
    public void notification(Raw message, String method, @Nullable Object related) {
        link.changed(method);
        if (link.isStopped()) {
            return;
        }
        try {
            events.notification(link, clean(message), method, tag(related));
        } catch (ScrubFailedException | MalformedMessageException e) {
            LOG.warn("a notification of server '{}' was withheld: {}", link.name(), e.getMessage());
        }
    }

    @Override
    public void request(Raw message, String method, @Nullable Object related, Reply reply) {
        if (link.isStopped()) {
            reply.send(JsonRpc.error(null, JsonRpc.INTERNAL_ERROR, "the gateway could not pass this request on", null));
            return;
        }
        try {
            events.request(link, clean(message), method, tag(related), reply);
        } catch (ScrubFailedException | MalformedMessageException e) {
            LOG.warn("a request of server '{}' was withheld: {}", link.name(), e.getMessage());
            reply.send(JsonRpc.error(null, JsonRpc.INTERNAL_ERROR, "the gateway could not pass this request on", null));
        }
    }

    @Override
    public void paused(@Nullable Object related, Duration until) {
        InFlight inFlight = tag(related);
        if (inFlight != null) {
            inFlight.exchange().pause(until);
        }
    }

    @Override
    public void stderr(Raw line) {
        byte[] clean = chokePoint.cleanLine(line, link.user(), link.name());
        LOG.info("server '{}': {}", link.name(), new String(clean, StandardCharsets.UTF_8));
    }

    @Override
    public void closed() {
        events.closed(link);
    }

    private Outbound clean(Raw message) {
        return link.clean(message);
    }

    private static @Nullable InFlight tag(@Nullable Object related) {
        return related instanceof InFlight inFlight ? inFlight : null;
    }
}
