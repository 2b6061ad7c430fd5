package dev.postern.gate.detect;

import dev.postern.gate.call.ToolCall;
import dev.postern.json.JsonValue;

/**
 * Before step 1: secrets that the agent itself wrote into a call's arguments are masked or captured where the server's mode
 * says so (D6). A captured one is a reference from here on, so the call bears a secret and a person is asked.
 */
public final class ArgumentStep {
    private final Screening screening;

    public ArgumentStep(Screening screening) {
        this.screening = screening;
    }

    /** The call to go on with; the same one where nothing was replaced. */
    public ToolCall screen(ToolCall call) {
        DetectionMode mode = screening.modes(call.tool().server()).arguments();
        return switch (mode) {
            case OFF, REPORT -> call; // the ledger looks at the arguments of every call, and reports
            case MASK, CAPTURE -> {
                Screened screened = screening.arguments(call.arguments().bytes(), call.caller(), call.tool(), mode);
                yield screened.found().isEmpty() ? call : rewritten(call, screened);
            }
        };
    }

    /** A call with references needs its tool's definition, which one without them is not asked for. */
    private static ToolCall rewritten(ToolCall call, Screened screened) {
        boolean refers = screened.found().stream().anyMatch(found -> found.reference() != null);
        return call.rewritten(
                JsonValue.parse(screened.json()),
                call.definition() == null && refers ? call.definitions().latest() : call.definition(),
                screened.found());
    }
}
