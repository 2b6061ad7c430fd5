package dev.postern.store.sql;

import dev.postern.gate.call.ToolName;
import dev.postern.gate.definition.Pin;
import dev.postern.gate.definition.PinStore;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Pinned tool definitions at rest. Pinning and accepting one is in the operators' log. */
public final class SqlPins implements PinStore {
    private static final String ALL = "SELECT * FROM tool_pin ORDER BY server, tool";
    private static final String ONE = "SELECT * FROM tool_pin WHERE server = ? AND tool = ?";
    private static final String PIN = """
            INSERT INTO tool_pin (server, tool, hash, definition, pinned_at, actor) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (server, tool) DO NOTHING""";
    private static final String SEEN = """
            UPDATE tool_pin SET seen_hash = ?, seen_definition = ?, seen_at = ?
            WHERE server = ? AND tool = ? AND hash = ?""";
    private static final String ACCEPT = """
            UPDATE tool_pin SET hash = seen_hash, definition = seen_definition, pinned_at = ?, actor = ?, accepted_at = ?,
                seen_hash = NULL, seen_definition = NULL, seen_at = NULL
            WHERE server = ? AND tool = ? AND seen_hash = ?""";

    private final Database database;
    private final OperatorLog log;

    SqlPins(Database database, OperatorLog log) {
        this.database = database;
        this.log = log;
    }

    @Override
    public List<Pin> pins() {
        return database.read("pin.list", statements -> statements.list(ALL, SqlPins::pin));
    }

    @Override
    public Optional<Pin> find(ToolName tool) {
        return database.read("pin.find", statements -> statements.first(ONE, SqlPins::pin, tool.server(), tool.tool()));
    }

    @Override
    public void pin(Pin first) {
        database.write("pin.add", statements -> {
            int added = statements.update(
                    PIN,
                    first.tool().server(),
                    first.tool().tool(),
                    first.hash(),
                    first.definition(),
                    first.pinnedAt(),
                    first.actor());
            if (added == 1) {
                log.record(
                        statements,
                        first.actor(),
                        "definition.pin",
                        first.tool().toString());
            }
            return added;
        });
    }

    @Override
    public void seen(ToolName tool, String pinned, Pin.@Nullable Seen seen) {
        database.write(
                "pin.seen",
                statements -> statements.update(
                        SEEN,
                        seen == null ? null : seen.hash(),
                        seen == null ? null : seen.definition(),
                        seen == null ? null : seen.at(),
                        tool.server(),
                        tool.tool(),
                        pinned));
    }

    @Override
    public boolean accept(ToolName tool, String hash, String actor, Instant at) {
        return database.write("pin.accept", statements -> {
            boolean done = statements.update(ACCEPT, at, actor, at, tool.server(), tool.tool(), hash) == 1;
            if (done) {
                log.record(statements, actor, "definition.accept", tool.toString());
            }
            return done;
        });
    }

    private static Pin pin(Row row) throws SQLException {
        String seen = row.textOrNull("seen_hash");
        return new Pin(
                new ToolName(row.text("server"), row.text("tool")),
                row.text("hash"),
                row.bytes("definition"),
                row.instant("pinned_at"),
                row.text("actor"),
                row.instantOrNull("accepted_at"),
                seen == null ? null : new Pin.Seen(seen, row.bytes("seen_definition"), row.instant("seen_at")));
    }
}
