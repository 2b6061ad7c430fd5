package dev.postern.app.operations;

import dev.postern.app.control.ControlRequest;
import dev.postern.gate.call.CallId;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.ledger.LedgerEntry;
import dev.postern.gate.ledger.LedgerIntent;
import dev.postern.json.JsonValue;
import dev.postern.mcp.catalog.OwnTool;
import dev.postern.store.sql.OperatorLog;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command of the operator's that is given secrets, as the ledger records it: an intent before it starts, an entry when it
 * has ended (L1, L3). Travels from the command line to a running gateway; holds references, never a value.
 *
 * @param arguments the command and its variables as the operator wrote them, references intact, known and detected secrets
 *     masked; JSON
 * @param secretRefs {@code <id>.<field>}
 * @param references the references, without filters
 */
public record CommandUse(CallId id, Instant at, byte[] arguments, List<String> secretRefs, List<String> references) {
    /** As destination rules name it, too. */
    public static final ToolName TOOL = new ToolName(OwnTool.SERVER, "run");

    /**
     * How a command ended.
     *
     * @param exitCode as a shell says it
     * @param outputBytes of what it wrote, scrubbed
     */
    public record Ended(int exitCode, long durationMillis, long outputBytes, long scrubHits) {}

    /** What is made durable before it starts. */
    public LedgerIntent intent() {
        return new LedgerIntent(id, at, LocalAgent.NAME, TOOL, arguments, secretRefs, OperatorLog.OPERATOR, null);
    }

    /** What closes it. */
    public LedgerEntry entry(Ended ended) {
        return new LedgerEntry(
                id,
                at,
                LocalAgent.NAME,
                TOOL,
                arguments,
                secretRefs,
                Disposition.EXECUTED,
                null,
                OperatorLog.OPERATOR,
                ended.durationMillis(),
                ended.outputBytes(),
                ended.scrubHits(),
                ended.exitCode() == 0 ? null : "exit code " + ended.exitCode(),
                true,
                List.of(),
                null);
    }

    /** For the control socket; how it ended is null before it has. */
    public Map<String, Object> document(@Nullable Ended ended) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", id.value());
        document.put("at", at.toEpochMilli());
        document.put("arguments", JsonValue.parse(arguments));
        document.put("secret_refs", secretRefs);
        document.put("references", references);
        if (ended != null) {
            document.put("exit_code", ended.exitCode());
            document.put("duration_ms", ended.durationMillis());
            document.put("output_bytes", ended.outputBytes());
            document.put("scrub_hits", ended.scrubHits());
        }
        return document;
    }

    static CommandUse read(ControlRequest request) {
        JsonValue arguments = request.arguments().member("arguments");
        return new CommandUse(
                new CallId(request.text("id")),
                Instant.ofEpochMilli(number(request, "at")),
                arguments == null ? new byte[] {'{', '}'} : arguments.bytes(),
                request.texts("secret_refs"),
                request.texts("references"));
    }

    static Ended readEnd(ControlRequest request) {
        return new Ended(
                (int) number(request, "exit_code"),
                number(request, "duration_ms"),
                number(request, "output_bytes"),
                number(request, "scrub_hits"));
    }

    private static long number(ControlRequest request, String name) {
        Long number = request.number(name);
        return number == null ? 0 : number;
    }

    @Override
    public String toString() {
        return "CommandUse[" + id + "]";
    }
}
