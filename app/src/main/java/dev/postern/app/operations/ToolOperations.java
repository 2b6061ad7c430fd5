package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.gate.call.ToolName;
import dev.postern.json.JsonValue;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.secret.Reveal;
import dev.postern.web.api.Documents;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code server.tools} and {@code invoke}: the command line as an agent like any other. */
public final class ToolOperations {
    private static final String REFUSAL = "dev.postern/refusal";

    private final LocalAgent local;
    private final Approvals approvals;

    public ToolOperations(LocalAgent local, Approvals approvals) {
        this.local = local;
        this.approvals = approvals;
    }

    /** Adds {@code server.tools} and {@code invoke}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("server.tools", (request, peer) -> tools(request.optionalText("server")));
        operations.put("invoke", this::invoke);
    }

    /** All tools of all servers, or of one, as they are listed now. */
    List<JsonValue> tools(@Nullable String server) {
        List<JsonValue> tools = new ArrayList<>();
        String cursor = null;
        do {
            JsonValue result = result(
                    local.ask("tools/list", cursor == null ? Map.of() : Map.of("cursor", cursor), new Cancellation()));
            JsonValue page = result.member("tools");
            if (page != null) {
                for (JsonValue tool : page.elements()) {
                    String name = String.valueOf(tool.string("name"));
                    if (server == null || name.startsWith(server + ToolName.SEPARATOR)) {
                        tools.add(tool);
                    }
                }
            }
            cursor = result.string("nextCursor");
        } while (cursor != null);
        return tools;
    }

    private Object invoke(ControlRequest request, Operation.Peer peer) throws Exception {
        Cancellation cancellation = new Cancellation();
        peer.onHangUp(cancellation::fire);
        // The arguments hold references at most, but they must arrive as they were written.
        JsonValue arguments = JsonValue.parse(request.requiredValue().reveal(Reveal.TO_DELIVER));
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("name", request.text("tool"));
        params.put("arguments", arguments);
        try (AutoCloseable listening = approvals.listen(approval -> show(approval, peer))) {
            JsonValue result = result(local.ask("tools/call", params, cancellation));
            refuse(result);
            return result;
        }
    }

    private void show(Approval approval, Operation.Peer peer) {
        if (approval.state() == Approval.State.PENDING && approval.agent().equals(local.id())) {
            try {
                peer.send(Documents.approval(approval));
            } catch (UncheckedIOException e) {
                // Hanging up cancels the call by itself.
            }
        }
    }

    private static JsonValue result(Message response) {
        JsonValue body = response.body();
        if (response.type() != Message.Type.RESULT || body == null) {
            String message = body == null ? null : body.string("message");
            throw new ControlException(ExitCode.FAILED, message == null ? "the call failed." : message + ".");
        }
        return body;
    }

    /** A refusal becomes an exit code; the text after the code is the sentence. */
    private static void refuse(JsonValue result) {
        JsonValue refusal = result.path(MetaKeys.META, REFUSAL);
        if (refusal == null) {
            return;
        }
        String code = String.valueOf(refusal.string("code"));
        List<JsonValue> content = result.member("content") == null
                ? List.of()
                : result.member("content").elements();
        String text =
                content.isEmpty() ? code : String.valueOf(content.getFirst().string("text"));
        String sentence = text.startsWith(code + ": ") ? text.substring(code.length() + 2) : text;
        throw new ControlException(exitCode(String.valueOf(refusal.string("disposition"))), code, sentence);
    }

    private static ExitCode exitCode(String disposition) {
        return switch (Disposition.valueOf(disposition)) {
            case DENIED, APPROVAL_EXPIRED, APPROVAL_PENDING -> ExitCode.DENIED;
            case SECRET_UNRESOLVED, SECRET_FORBIDDEN, POLICY_DENIED, QUEUE_FULL, KILL_SWITCH, SCRUB_FAILED ->
                ExitCode.REFUSED;
            case TIMED_OUT, CANCELLED, FAILED, EXECUTED -> ExitCode.FAILED;
        };
    }
}
