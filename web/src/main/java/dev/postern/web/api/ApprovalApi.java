package dev.postern.web.api;

import dev.postern.gate.agent.Right;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.GrantTerms;
import dev.postern.json.JsonValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/approvals}: what waits for a person, and their decision (P2 to P8). */
final class ApprovalApi {
    private static final String TAG = "Approvals";

    /** A grant that lasts longer is a sensitive act. */
    private static final Duration UNCONFIRMED = Duration.ofHours(1);

    private static final Schema DECIDED = Schema.object()
            .with("id", Schema.text("Names the request."))
            .with(
                    "state",
                    Schema.oneOf(
                            "Where it stands. Granted is not executed: the agent has to come for it.",
                            "GRANTED",
                            "DENIED"))
            .with("decided_by", Schema.text("You."));

    private final Approvals approvals;

    ApprovalApi(Approvals approvals) {
        this.approvals = approvals;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                                "GET",
                                "/api/approvals",
                                Access.needs(Right.SEE_APPROVALS),
                                this::list,
                                RouteDoc.of(TAG, "listApprovals", "Calls that wait for a person, the oldest first")
                                        .answers(Shapes.listOf("approvals", Shapes.APPROVAL)))
                        .inBackground(),
                new Route(
                        "GET",
                        "/api/approvals/{id}",
                        Access.needs(Right.SEE_APPROVALS),
                        this::get,
                        RouteDoc.of(TAG, "getApproval", "One request, decided or not")
                                .answers(Shapes.APPROVAL
                                        .with("state", Schema.text("Where it stands."))
                                        .with(
                                                "decided_by",
                                                Schema.text("Who decided.").orNull())
                                        .with(
                                                "note",
                                                Schema.text("What they told the agent.")
                                                        .orNull()))
                                .refuses("404 APPROVAL_NOT_FOUND")),
                new Route(
                        "POST",
                        "/api/approvals/{id}/approve",
                        Access.needs(Right.DECIDE_APPROVALS),
                        this::approve,
                        RouteDoc.of(TAG, "approve", "Let the call run once; with a grant, further ones like it too")
                                .takes(
                                        Schema.object()
                                                .optional(
                                                        "grant",
                                                        Schema.object()
                                                                .optional(
                                                                        "seconds",
                                                                        Schema.number(
                                                                                "For so long, at most a year; where it is missing, until revoked."))
                                                                .optional(
                                                                        "uses",
                                                                        Schema.number(
                                                                                "So many further calls; where it is missing, any number."))))
                                .answers(DECIDED)
                                .refuses("403 CONFIRMATION_REQUIRED", "404 APPROVAL_NOT_FOUND", "409 ALREADY_DECIDED")),
                new Route(
                        "POST",
                        "/api/approvals/{id}/deny",
                        Access.needs(Right.DECIDE_APPROVALS),
                        this::deny,
                        RouteDoc.of(TAG, "deny", "Refuse the call; the note reaches the agent")
                                .takes(Schema.object().optional("note", Schema.text("For the agent.")))
                                .answers(DECIDED)
                                .refuses("404 APPROVAL_NOT_FOUND", "409 ALREADY_DECIDED")));
    }

    private Reply list(Request request) {
        return Reply.json(Map.of(
                        "approvals",
                        approvals.pending().stream().map(Documents::approval).toList()))
                .tagged(request);
    }

    private Reply get(Request request) {
        Approval approval = approvals.find(request.pathValue("id")).orElseThrow(ApprovalApi::notFound);
        Map<String, @Nullable Object> document = Documents.approval(approval);
        document.put("state", approval.state());
        document.put("decided_by", approval.decidedBy());
        document.put("note", approval.note());
        return Reply.json(document).tagged(request);
    }

    private Reply approve(Request request) {
        @Nullable GrantTerms terms = terms(request.jsonOrEmpty());
        if (terms != null && isLong(terms.lifetime())) {
            request.requireConfirmed();
        }
        String id = request.pathValue("id");
        return decided(request, approvals.approve(id, request.person().name(), terms), Approval.State.GRANTED);
    }

    private static boolean isLong(@Nullable Duration lifetime) {
        return lifetime == null || lifetime.compareTo(UNCONFIRMED) > 0;
    }

    private static @Nullable GrantTerms terms(JsonValue body) {
        JsonValue grant = Members.present(body, "grant");
        if (grant == null) {
            return null;
        }
        Long seconds = Members.number(grant, "seconds");
        Long uses = Members.number(grant, "uses");
        try {
            return new GrantTerms(
                    seconds == null ? null : Duration.ofSeconds(seconds),
                    uses == null ? null : (int) Math.min(uses, Integer.MAX_VALUE));
        } catch (IllegalArgumentException e) {
            throw Request.invalid(String.valueOf(e.getMessage()));
        }
    }

    private Reply deny(Request request) {
        String note = Members.text(request.jsonOrEmpty(), "note");
        String id = request.pathValue("id");
        return decided(request, approvals.deny(id, request.person().name(), note), Approval.State.DENIED);
    }

    /** Of two who decide at once one is told that the other was faster. */
    private Reply decided(Request request, boolean done, Approval.State to) {
        String id = request.pathValue("id");
        if (!done) {
            Approval approval = approvals.find(id).orElseThrow(ApprovalApi::notFound);
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("state", approval.state());
            if (approval.decidedBy() != null) {
                members.put("decided_by", approval.decidedBy());
            }
            throw new ProblemException(
                    409, "ALREADY_DECIDED", "This request was decided, expired or given up before.", members);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", id);
        document.put("state", to);
        document.put("decided_by", request.person().name());
        return Reply.json(document);
    }

    private static ProblemException notFound() {
        return new ProblemException(404, "APPROVAL_NOT_FOUND", "There is no such request.");
    }
}
