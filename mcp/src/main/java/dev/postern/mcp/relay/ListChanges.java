package dev.postern.mcp.relay;

import dev.postern.mcp.wire.JsonRpc;
import java.util.List;

/** The notifications by which clients hear that what a server lists is something else now. */
final class ListChanges {
    /** What servers list and may change. */
    static final List<String> KINDS = List.of("tools", "prompts", "resources");

    private ListChanges() {}

    static String method(String kind) {
        return "notifications/" + kind + "/list_changed";
    }

    /** The notification, in our own words. */
    static Outbound of(String kind) {
        return Outbound.ours(JsonRpc.notification(method(kind), null));
    }
}
