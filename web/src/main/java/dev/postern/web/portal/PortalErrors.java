package dev.postern.web.portal;

import dev.postern.web.http.ErrorPages;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.portal.view.Message;
import java.util.Map;

/** Problems as pages: what happened and where to go, in the frame where somebody is signed in. */
final class PortalErrors implements ErrorPages {
    private final Pages pages;

    PortalErrors(Pages pages) {
        this.pages = pages;
    }

    @Override
    public Reply page(Request request, ProblemException problem) {
        Message message = message(problem);
        return request.caller() instanceof Identity.Person
                ? pages.show(request, problem.status(), "", message.title(), "message", message)
                : pages.bare(request, problem.status(), "bare-message", Map.of("message", message));
    }

    private static Message message(ProblemException problem) {
        String title = switch (problem.status()) {
            case 404 -> "There is nothing here";
            case 403 ->
                problem.code().equals("CONFIRMATION_REQUIRED") ? "Is it still you?" : "This is not for you to do";
            case 405 -> "That does not work here";
            case 429 -> "Too often";
            default -> problem.status() >= 500 ? "The gateway failed at this" : "That cannot be done so";
        };
        return new Message(title, problem.detail(), problem.code(), "/", "To the start");
    }
}
