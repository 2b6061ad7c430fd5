package dev.postern.web.http;

import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a problem is told: to programs as a document (RFC 9457), to a person in a browser as a page, or by leading them to where
 * they sign in or confirm, and back.
 */
final class ProblemReplies {
    private static final Logger log = LoggerFactory.getLogger(ProblemReplies.class);

    private final ErrorPages pages;

    ProblemReplies(ErrorPages pages) {
        this.pages = pages;
    }

    /** Where something failed. The text of an exception may quote a secret, and so may the path that was asked for. */
    static String place(Exception e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length == 0 ? "an unknown place" : trace[0].toString();
    }

    /** Whether problems of a path are documents whatever the caller accepts. */
    private static boolean isApi(String path) {
        return path.startsWith("/api/") || path.equals("/openapi.json") || path.equals("/metrics");
    }

    Reply reply(Request request, ProblemException problem) {
        if (!isApi(request.path()) && request.wantsPage()) {
            return switch (problem.code()) {
                case "UNAUTHENTICATED" -> signIn(request);
                case "CONFIRMATION_REQUIRED" -> Reply.redirect("/confirm?to=" + back(request));
                default -> page(request, problem);
            };
        }
        Reply reply = Reply.problem(problem);
        if (problem.status() == 413) {
            return reply.with("Connection", "close"); // what was not read stands in the way of the next request
        }
        return problem.status() == 401 ? reply.with("WWW-Authenticate", "Bearer realm=\"postern\"") : reply;
    }

    /** A page that fails must not hide what it was to say. */
    private Reply page(Request request, ProblemException problem) {
        try {
            return pages.page(request, problem);
        } catch (RuntimeException e) {
            log.error("a page of a problem failed: {} at {}", e.getClass().getName(), place(e));
            return ErrorPages.PLAIN.page(request, problem);
        }
    }

    /** The page to go back to: the one asked for, or the one a form stood on, which is not posted again. */
    private static String back(Request request) {
        String back = request.path();
        if (!request.method().equals("GET")) {
            String referrer = request.header("Referer");
            back = referrer != null && referrer.startsWith(request.origin() + "/")
                    ? referrer.substring(request.origin().length()).replaceAll("[?#].*", "")
                    : "/";
        }
        return Reply.isLocal(back) ? back : "/";
    }

    /** Back to the page that was asked for, once signed in. */
    private static Reply signIn(Request request) {
        if ("cross-site".equals(request.header("Sec-Fetch-Site"))) {
            // Somebody followed a link from another site, and SameSite=Strict kept the cookie back: ask as ourselves.
            return Reply.html(
                    "<!doctype html><meta http-equiv=\"refresh\" content=\"0\">".getBytes(StandardCharsets.US_ASCII));
        }
        boolean page = request.method().equals("GET") && !request.path().equals("/") && Reply.isLocal(request.path());
        return Reply.redirect(page ? "/sign-in?to=" + request.path() : "/sign-in");
    }
}
