package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.call.ToolName;
import dev.postern.gate.definition.ChangedDefinition;
import dev.postern.gate.definition.Pins;
import dev.postern.gate.diff.LineDiff;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code definitions.*}: tools whose definitions were changed since a person approved them (P5). */
public final class DefinitionOperations {
    private final Pins pins;
    private final ToolOperations tools;
    private final String operator;

    public DefinitionOperations(Pins pins, ToolOperations tools, String operator) {
        this.pins = pins;
        this.tools = tools;
        this.operator = operator;
    }

    /** Adds {@code definitions.changed} and {@code definitions.accept}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("definitions.changed", (request, peer) -> changed(request.optionalText("server")));
        operations.put("definitions.accept", (request, peer) -> accept(request));
    }

    /** Lists the tools anew first, so that what is shown is what servers say now. */
    private List<Map<String, @Nullable Object>> changed(@Nullable String server) {
        var _ = tools.tools(server);
        return pins.changed().stream()
                .filter(changed -> server == null || changed.tool().server().equals(server))
                .map(DefinitionOperations::document)
                .toList();
    }

    private Map<String, Object> accept(ControlRequest request) {
        ToolName tool = new ToolName(request.text("server"), request.text("tool"));
        if (!pins.accept(tool, request.text("hash"), operator)) {
            throw new ControlException(
                    ExitCode.FAILED,
                    "nothing was accepted: the definition of " + tool + " is not changed, or changed again; "
                            + "'postern server tools " + tool.server() + " --changed' shows it.");
        }
        return Map.of("accepted", tool.toString());
    }

    private static Map<String, @Nullable Object> document(ChangedDefinition changed) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("server", changed.tool().server());
        document.put("tool", changed.tool().tool());
        document.put("hash", changed.hash());
        document.put("approved_at", changed.approvedAt());
        document.put("approved_by", changed.approvedBy());
        document.put("seen_at", changed.seenAt());
        List<LineDiff.Line> lines = changed.lines();
        document.put("lines", lines.stream().map(LineDiff.Line::toString).toList());
        document.put("differs", LineDiff.hasChanges(lines));
        return document;
    }
}
