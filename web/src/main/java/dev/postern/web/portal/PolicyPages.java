package dev.postern.web.portal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postern.gate.agent.Right;
import dev.postern.gate.policy.Policies;
import dev.postern.gate.policy.Policy;
import dev.postern.gate.policy.PolicyDocument;
import dev.postern.gate.policy.PolicyException;
import dev.postern.gate.policy.PolicyStore;
import dev.postern.web.http.Access;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Difference;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.Page;
import dev.postern.web.portal.view.PolicyPage;
import dev.postern.web.portal.view.PolicyPage.Verdict;
import dev.postern.web.portal.view.PolicyRevisionPage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policy: an editor that checks and shows the difference before it lets anything be applied (P10, P11). */
final class PolicyPages {
    private final Pages pages;
    private final Policies policies;

    PolicyPages(Pages pages, Policies policies) {
        this.pages = pages;
        this.policies = policies;
    }

    List<Route> routes() {
        return List.of(
                Route.page(
                        "GET",
                        "/policy",
                        Access.needs(Right.READ_POLICY),
                        request -> show(request, 200, document(), null)),
                Route.page("POST", "/policy", Access.needs(Right.APPLY_POLICY), this::submit),
                Route.page("GET", "/policy/revisions/{revision}", Access.needs(Right.READ_POLICY), this::revision));
    }

    private Reply show(Request request, int status, String text, @Nullable Verdict verdict) {
        Policy current = policies.current();
        return pages.show(
                request,
                status,
                Page.POLICY.title(),
                Page.POLICY.title(),
                "policy",
                new PolicyPage(
                        text,
                        current.revision(),
                        current.readable(),
                        verdict,
                        policies.history(PolicyPage.REVISIONS_SHOWN).stream()
                                .map(this::row)
                                .toList(),
                        request.may(Right.APPLY_POLICY),
                        request.person().confirmed()));
    }

    private PolicyPage.Revision row(PolicyStore.Revision revision) {
        return new PolicyPage.Revision(revision.revision(), revision.actor(), pages.moment(revision.appliedAt()));
    }

    /** What one revision changed, and how it differs from what is in force: to be put back by the same way as any other. */
    private Reply revision(Request request) {
        PolicyStore.Revision revision = policies.revision(request.pathNumber("revision"))
                .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "There is no such revision of the policy."));
        String text = document(revision.revision());
        return pages.show(
                request,
                Page.POLICY,
                "Revision " + revision.revision(),
                "policy-revision",
                new PolicyRevisionPage(
                        row(revision),
                        text,
                        Difference.between(document(revision.revision() - 1), text),
                        Difference.between(document(), text),
                        policies.current().revision(),
                        request.may(Right.APPLY_POLICY)));
    }

    private String document(long revision) {
        return policies.document(revision)
                .map(document -> new String(document, UTF_8))
                .orElse("");
    }

    private Reply submit(Request request) {
        String text = request.field("document");
        if (text == null) {
            throw Request.invalid("The form lacks the document.");
        }
        String document = text.replace("\r\n", "\n");
        try {
            PolicyDocument.parse(0, document.getBytes(UTF_8));
        } catch (PolicyException e) {
            return show(
                    request, 422, document, new Verdict(String.valueOf(e.getMessage()), Difference.between("", "")));
        }
        if (!"apply".equals(request.field("act"))) {
            return show(request, 200, document, new Verdict("", Difference.between(document(), document)));
        }
        if (!String.valueOf(policies.current().revision()).equals(request.field("base"))) {
            throw new ProblemException(
                    409,
                    "POLICY_CHANGED",
                    "Somebody applied another policy meanwhile. Open the page again, look at theirs and put yours in.");
        }
        if (!request.person().confirmed()) {
            return show(request, 403, document, new Verdict("", Difference.between(document(), document)));
        }
        Policy applied =
                policies.apply(document.getBytes(UTF_8), request.person().name());
        return Flashes.redirect(
                request,
                "/policy",
                Flash.good("Revision " + applied.revision() + " is in force. Calls that wait are judged again by it."));
    }

    private String document() {
        return new String(policies.document(), UTF_8);
    }
}
