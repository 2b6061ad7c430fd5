package dev.postern.web.api;

import dev.postern.gate.agent.Right;
import dev.postern.gate.call.Cancellation;
import dev.postern.gate.call.Disposition;
import dev.postern.json.JsonValue;
import dev.postern.mcp.relay.AnswerException;
import dev.postern.mcp.wire.Message;
import dev.postern.mcp.wire.MetaKeys;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/tools}: the governed path for programs that speak no MCP. For agents; the same policy, approvals and ledger. */
final class ToolApi {
    private static final String TAG = "Tools";
    private static final String REFUSAL = "dev.postern/refusal";
    private static final int MAX_ARGUMENT_BYTES = 4 << 20;
    private static final Schema RESULT = Schema.object()
            .with("content", Schema.list(Schema.any("A content block of MCP.")))
            .optional("structuredContent", Schema.any("As the tool's output schema says."))
            .optional("isError", Schema.flag("Whether the tool says that it failed."));

    private final RelayRequests relay;

    ToolApi(RelayRequests relay) {
        this.relay = relay;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/tools",
                        Access.needs(Right.CALL_TOOLS),
                        this::list,
                        RouteDoc.of(TAG, "listTools", "Every server's tools, as MCP describes them")
                                .answers(Shapes.listOf("tools", Schema.any("A tool of MCP.")))),
                new Route(
                                "POST",
                                "/api/tools/{tool}",
                                Access.needs(Right.CALL_TOOLS),
                                this::call,
                                RouteDoc.of(
                                                TAG,
                                                "callTool",
                                                "Call server__tool; the body is its arguments, references included. 202: a person "
                                                        + "must decide; send the same call again")
                                        .takes(Schema.any("The tool's arguments."))
                                        .answers(RESULT)
                                        .refuses(
                                                "403 POLICY_DENIED",
                                                "403 SECRET_FORBIDDEN",
                                                "403 DENIED",
                                                "403 APPROVAL_EXPIRED",
                                                "422 SECRET_UNRESOLVED",
                                                "429 QUEUE_FULL",
                                                "502 VAULT_SCRUB_FAILED",
                                                "502 FAILED",
                                                "503 KILL_SWITCH",
                                                "504 TIMED_OUT"))
                        .withMaxBodyBytes(MAX_ARGUMENT_BYTES));
    }

    private Reply list(Request request) {
        List<JsonValue> tools = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            JsonValue page = result(ask(request, "tools/list", cursor == null ? Map.of() : Map.of("cursor", cursor)));
            JsonValue listed = page.member("tools");
            if (listed != null) {
                tools.addAll(listed.elements());
            }
            cursor = page.string("nextCursor");
        } while (cursor != null);
        return Reply.json(Map.of("tools", tools)).tagged(request);
    }

    private Reply call(Request request) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("name", request.pathValue("tool"));
        params.put("arguments", request.jsonOrEmpty());
        JsonValue result = result(ask(request, "tools/call", params));
        JsonValue refusal = result.path(MetaKeys.META, REFUSAL);
        return refusal == null ? Reply.json(result) : refused(result, refusal);
    }

    private Message ask(Request request, String method, Map<String, Object> params) {
        if (!(request.caller() instanceof Identity.Agent agent)) {
            throw new IllegalStateException("only agents call tools");
        }
        try {
            return relay.ask(agent.caller(), method, params, null, new Cancellation());
        } catch (AnswerException e) {
            throw new ProblemException(400, "INVALID_REQUEST", String.valueOf(e.getMessage()));
        }
    }

    private static JsonValue result(Message response) {
        JsonValue body = response.body();
        if (response.type() != Message.Type.RESULT || body == null) {
            String message = body == null ? null : body.string("message");
            throw new ProblemException(
                    404, "TOOL_NOT_FOUND", message == null ? "The call failed." : "The call failed: " + message + ".");
        }
        return body;
    }

    /** A refusal as its own status; what waits for a person is no failure. */
    private static Reply refused(JsonValue result, JsonValue refusal) {
        String code = String.valueOf(refusal.string("code"));
        Disposition disposition = Disposition.valueOf(String.valueOf(refusal.string("disposition")));
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("disposition", disposition);
        refusal.forEachMember((name, value) -> {
            if (!name.string().equals("code")) {
                members.putIfAbsent(name.string(), value);
            }
        });
        String detail = detail(result, code);
        if (disposition == Disposition.APPROVAL_PENDING) {
            members.put("code", code);
            members.put("detail", detail);
            return Reply.json(202, members).with("Retry-After", "5");
        }
        throw new ProblemException(status(disposition), code, detail, members);
    }

    private static String detail(JsonValue result, String code) {
        JsonValue content = result.member("content");
        List<JsonValue> blocks = content == null ? List.of() : content.elements();
        @Nullable String text = blocks.isEmpty() ? null : blocks.getFirst().string("text");
        if (text == null) {
            return code;
        }
        return text.startsWith(code + ": ") ? text.substring(code.length() + 2) : text;
    }

    private static int status(Disposition disposition) {
        return switch (disposition) {
            case SECRET_FORBIDDEN, POLICY_DENIED, DENIED, APPROVAL_EXPIRED -> 403;
            case CANCELLED -> 409;
            case SECRET_UNRESOLVED -> 422;
            case QUEUE_FULL -> 429;
            case KILL_SWITCH -> 503;
            case TIMED_OUT -> 504;
            case SCRUB_FAILED, FAILED, EXECUTED, APPROVAL_PENDING -> 502;
        };
    }
}
