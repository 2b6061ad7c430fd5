package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.approval.Approval;
import dev.postern.gate.approval.Approvals;
import dev.postern.gate.approval.GrantTerms;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.ApprovalsPage;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.Page;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queue of requests, and what a person says to them (P2, P4 to P8). */
final class ApprovalPages {
    /** So many requests are on the page; further ones come up as these are decided. */
    private static final int SHOWN = 50;

    private static final int DECIDED_SHOWN = 10;
    private static final int MAX_NOTE_CHARACTERS = 500;

    private final Pages pages;
    private final Approvals approvals;
    private final ApprovalView view;

    ApprovalPages(Pages pages, Approvals approvals, ApprovalView view) {
        this.pages = pages;
        this.approvals = approvals;
        this.view = view;
    }

    List<Route> routes() {
        Access see = Access.needs(Right.SEE_APPROVALS);
        return List.of(
                Route.page("GET", "/approvals", see, this::queue),
                Route.page("GET", "/approvals/queue", see, request -> pages.part(request, "tag/queue", page()))
                        .inBackground(),
                Route.page("GET", "/approvals/decided", see, request -> pages.part(request, "tag/decided", page()))
                        .inBackground(),
                Route.page("GET", "/approvals/{id}", see, this::one),
                Route.page("POST", "/approvals/decide", Access.needs(Right.DECIDE_APPROVALS), this::decide));
    }

    private Reply queue(Request request) {
        return pages.show(request, Page.APPROVALS, "approvals", page());
    }

    private ApprovalsPage page() {
        List<Approval> pending = approvals.pending();
        return new ApprovalsPage(
                pending.stream().limit(SHOWN).map(view::card).toList(),
                Math.max(0, pending.size() - SHOWN),
                approvals.recent(DECIDED_SHOWN).stream().map(view::decided).toList());
    }

    /** Where an agent's client sends a person for one call. */
    private Reply one(Request request) {
        Approval approval = approvals
                .find(request.pathValue("id"))
                .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "There is no such request."));
        List<Approval> open = approvals.pending().stream()
                .filter(pending -> pending.id().equals(approval.id()))
                .toList();
        return pages.show(request, Page.APPROVALS, "One request", "approval", view.single(approval, !open.isEmpty()));
    }

    private Reply decide(Request request) {
        List<String> ids = request.fields("id").stream().distinct().toList();
        if (ids.isEmpty()) {
            return Flashes.redirect(
                    request, "/approvals", Flash.warn("Nothing was selected. Tick the requests to decide first."));
        }
        String decision = request.field("decision");
        List<Flash> said = new ArrayList<>();
        for (String id : ids) {
            said.add(decide(request, id, decision == null ? "" : decision));
        }
        return Flashes.redirect(request, "/approvals", said);
    }

    private Flash decide(Request request, String id, String decision) {
        String call = approvals.find(id).map(ApprovalView::name).orElse("The request");
        String person = request.person().name();
        boolean decided = switch (decision) {
            case "once" -> approvals.approve(id, person, null);
            case "10m" -> approvals.approve(id, person, new GrantTerms(Duration.ofMinutes(10), null));
            case "1h" -> approvals.approve(id, person, new GrantTerms(Duration.ofHours(1), null));
            case "deny" -> approvals.deny(id, person, note(request));
            default -> throw Request.invalid("A decision is once, 10m, 1h or deny.");
        };
        if (!decided) {
            return Flash.bad(call + " was not yours to decide any more: " + since(id));
        }
        return switch (decision) {
            case "deny" -> Flash.warn(call + " is denied; the agent is told.");
            case "once" -> Flash.good(call + " is approved, once. Below you see whether it ran.");
            default ->
                Flash.good(call + " is approved, and the same for " + (decision.equals("1h") ? "an hour" : "10 minutes")
                        + "; Grants lists it.");
        };
    }

    private String since(String id) {
        return approvals
                .find(id)
                .map(approval -> switch (approval.state()) {
                    case GRANTED, USED -> approval.decidedBy() + " approved it.";
                    case DENIED -> approval.decidedBy() + " denied it.";
                    case EXPIRED -> "it expired, which denies the call.";
                    case CANCELLED -> "the agent took it back.";
                    case PENDING -> "it is no longer open.";
                })
                .orElse("there is no such request.");
    }

    private static @Nullable String note(Request request) {
        String note = request.field("note");
        if (note == null || note.isBlank()) {
            return null;
        }
        String trimmed = note.strip();
        if (trimmed.length() > MAX_NOTE_CHARACTERS) {
            throw Request.invalid("A note has at most " + MAX_NOTE_CHARACTERS + " characters.");
        }
        return trimmed;
    }
}
