package dev.postern.web.api;

import dev.postern.gate.agent.Right;
import dev.postern.gate.policy.Kill;
import dev.postern.gate.policy.KillSwitch;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.policy.PolicyException;
import dev.postern.gate.policy.PolicyStore;
import dev.postern.json.JsonException;
import dev.postern.json.JsonValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/policy} and {@code /api/kill} (P10, P11, A3). */
final class PolicyApi {
    private static final String TAG = "Policy and kill switch";
    private static final Schema DOCUMENT = Schema.any("The policy document, replaced whole.");

    private static final Schema REVISION = Schema.object()
            .with("revision", Schema.number("Its number."))
            .with("applied_at", Schema.instant("When it was applied."))
            .with("applied_by", Schema.text("By whom."));
    private static final int PAGE = 100;
    private static final int LARGEST_PAGE = 1_000;

    private final Policies policies;
    private final KillSwitch killSwitch;

    PolicyApi(Policies policies, KillSwitch killSwitch) {
        this.policies = policies;
        this.killSwitch = killSwitch;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/policy",
                        Access.needs(Right.READ_POLICY),
                        this::show,
                        RouteDoc.of(TAG, "getPolicy", "The policy in force")
                                .answers(Schema.object()
                                        .with("revision", Schema.number("Grows with each change; 0 is the default."))
                                        .with("readable", Schema.flag("If not, every call is denied."))
                                        .with("document", DOCUMENT))),
                new Route(
                        "GET",
                        "/api/policy/revisions",
                        Access.needs(Right.READ_POLICY),
                        this::history,
                        RouteDoc.of(TAG, "listPolicyRevisions", "What was applied, the newest first")
                                .query("before", Schema.number("The revision before which the page begins."))
                                .query(
                                        "limit",
                                        Schema.number("At most so many; 100 where it is missing, 1000 at most."))
                                .answers(Shapes.pageOf("revisions", REVISION))),
                new Route(
                        "GET",
                        "/api/policy/revisions/{revision}",
                        Access.needs(Right.READ_POLICY),
                        this::revision,
                        RouteDoc.of(TAG, "getPolicyRevision", "One revision, with its document")
                                .answers(REVISION.with("document", DOCUMENT))
                                .refuses("404 NOT_FOUND")),
                new Route(
                        "POST",
                        "/api/policy/check",
                        Access.needs(Right.READ_POLICY),
                        this::check,
                        RouteDoc.of(TAG, "checkPolicy", "Whether a document is a policy; changes nothing")
                                .takes(DOCUMENT)
                                .answers(Schema.object().with("valid", Schema.flag("It is.")))
                                .refuses("422 INVALID_POLICY")),
                new Route(
                        "PUT",
                        "/api/policy",
                        Access.needs(Right.APPLY_POLICY),
                        this::apply,
                        RouteDoc.of(
                                        TAG,
                                        "applyPolicy",
                                        "Replace the policy; with If-Match, only if it is still that revision")
                                .takes(DOCUMENT)
                                .answers(Schema.object().with("revision", Schema.number("The new one.")))
                                .refuses("403 CONFIRMATION_REQUIRED", "412 POLICY_CHANGED", "422 INVALID_POLICY")),
                new Route(
                                "GET",
                                "/api/kill",
                                Access.PERSON,
                                request ->
                                        Reply.json(Documents.kills(killSwitch)).tagged(request),
                                RouteDoc.of(TAG, "getKillSwitch", "What is stopped")
                                        .answers(Shapes.KILLS))
                        .inBackground(),
                new Route(
                        "PUT",
                        "/api/kill",
                        Access.needs(Right.ENGAGE_KILL_SWITCH),
                        this::engage,
                        RouteDoc.of(TAG, "engageKillSwitch", "Stop all calls, or those of one agent or to one server")
                                .takes(Schema.object()
                                        .optional("agent", Schema.text("Only this agent, by name."))
                                        .optional("server", Schema.text("Only this server."))
                                        .optional("reason", Schema.text("For whoever wonders later.")))
                                .answers(Shapes.KILLS.with("calls_stopped", Schema.number("Running ones.")))),
                new Route(
                        "DELETE",
                        "/api/kill",
                        Access.needs(Right.RELEASE_KILL_SWITCH),
                        this::release,
                        RouteDoc.of(TAG, "releaseKillSwitch", "Let calls through again")
                                .query("agent", Schema.text("Only this agent's."))
                                .query("server", Schema.text("Only those to this server."))
                                .answers(Shapes.KILLS)
                                .refuses("403 CONFIRMATION_REQUIRED")));
    }

    private Reply show(Request request) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("revision", policies.current().revision());
        document.put("readable", policies.current().readable());
        document.put("document", parsed(policies.document()));
        return Reply.json(document).with("ETag", tag(policies.current().revision()));
    }

    private Reply history(Request request) {
        long before = request.queryNumber("before", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        int limit = (int) request.queryNumber("limit", PAGE, 1, LARGEST_PAGE);
        List<PolicyStore.Revision> found = policies.history(before, limit + 1);
        boolean more = found.size() > limit;
        List<PolicyStore.Revision> shown = more ? found.subList(0, limit) : found;
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("revisions", shown.stream().map(PolicyApi::document).toList());
        document.put("next", more ? Long.toString(shown.getLast().revision()) : null);
        return Reply.json(document).tagged(request);
    }

    private Reply revision(Request request) {
        PolicyStore.Revision revision = policies.revision(request.pathNumber("revision"))
                .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "There is no such revision of the policy."));
        Map<String, Object> document = document(revision);
        document.put("document", parsed(policies.document(revision.revision()).orElse(new byte[0])));
        return Reply.json(document).tagged(request);
    }

    private static Map<String, Object> document(PolicyStore.Revision revision) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("revision", revision.revision());
        document.put("applied_at", revision.appliedAt().toString());
        document.put("applied_by", revision.actor());
        return document;
    }

    private static Object parsed(byte[] document) {
        try {
            return JsonValue.parse(document);
        } catch (JsonException e) {
            return new String(document, StandardCharsets.UTF_8); // P11: it has to be mended
        }
    }

    private static String tag(long revision) {
        return "\"" + revision + "\"";
    }

    private Reply check(Request request) {
        request.json();
        parse(() -> PolicyDocument.parse(0, request.body()));
        return Reply.json(Map.of("valid", true));
    }

    private Reply apply(Request request) {
        request.json();
        request.requireConfirmed();
        String expected = request.header("If-Match");
        if (expected != null && !expected.equals(tag(policies.current().revision()))) {
            throw new ProblemException(
                    412,
                    "POLICY_CHANGED",
                    "The policy was changed meanwhile: read it again, and apply to what it is now.");
        }
        byte[] document = request.body().clone();
        parse(() -> policies.apply(document, request.person().name()));
        return Reply.json(Map.of("revision", policies.current().revision()));
    }

    private static void parse(Runnable work) {
        try {
            work.run();
        } catch (PolicyException e) {
            throw new ProblemException(422, "INVALID_POLICY", "It is no policy: " + e.getMessage() + ".");
        }
    }

    private Reply engage(Request request) {
        JsonValue body = request.jsonOrEmpty();
        Kill.Scope scope = scope(Members.text(body, "agent"), Members.text(body, "server"));
        int stopped = killSwitch.engage(scope, request.person().name(), Members.text(body, "reason"));
        Map<String, @Nullable Object> document = Documents.kills(killSwitch);
        document.put("calls_stopped", stopped);
        return Reply.json(document);
    }

    private Reply release(Request request) {
        request.requireConfirmed();
        killSwitch.release(
                scope(request.query("agent"), request.query("server")),
                request.person().name());
        return Reply.json(Documents.kills(killSwitch));
    }

    private static Kill.Scope scope(@Nullable String agent, @Nullable String server) {
        if (agent != null && server != null) {
            throw Request.invalid("Name an agent or a server, not both.");
        }
        return agent != null ? Kill.Scope.agent(agent) : server != null ? Kill.Scope.server(server) : Kill.Scope.ALL;
    }
}
