package dev.postern.mcp.relay;

import dev.postern.gate.call.ToolDefinition;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.mcp.catalog.Definitions;
import dev.postern.mcp.wire.Message;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one agent's link knows of its server's tools; lists them where that is not enough. Thread-safe. */
final class ServerTools {
    private static final int MAX_PAGES = 1_000;

    private final Definitions known;
    private final Lister lister;

    /** Asks for a page of the server's tools. */
    interface Lister {
        /**
         * Asks for one page.
         *
         * @param fresh whether the server has to be asked whatever is in memory
         */
        Outbound list(byte @Nullable [] params, boolean fresh, InFlight tag);
    }

    ServerTools(Definitions known, Lister lister) {
        this.known = known;
        this.lister = lister;
    }

    /** The definitions that were learnt so far. */
    Definitions known() {
        return known;
    }

    /** The tool as last listed; lists once if the server never did. Null where it has no such tool or no list. */
    @Nullable
    ToolDefinition definition(String tool, InFlight tag) {
        if (!known.isComplete() && !known.contains(tool)) {
            list(false, tag);
        }
        return known.find(tool);
    }

    /** The tool as the server lists it now (P6). */
    @Nullable
    ToolDefinition latestDefinition(String tool, InFlight tag) {
        known.forget();
        list(true, tag);
        return known.find(tool);
    }

    private void list(boolean fresh, InFlight tag) {
        Definitions.Listing listing = known.new Listing();
        boolean complete = false;
        String cursor = null;
        for (int page = 0; page < MAX_PAGES && !complete; page++) {
            byte[] params = cursor == null ? null : JsonWriter.write(Map.of("cursor", cursor));
            Message answer = lister.list(params, fresh, tag).message();
            JsonValue result = answer.body();
            if (answer.type() != Message.Type.RESULT || result == null) {
                break;
            }
            listing.add(result);
            cursor = result.string("nextCursor");
            complete = cursor == null;
        }
        listing.learn();
        if (complete) {
            known.complete();
        }
    }
}
