package dev.postern.web.http;

import java.nio.charset.StandardCharsets;

/** Shows a problem to a person in a browser. */
@FunctionalInterface
public interface ErrorPages {
    /** Without style, for where there are no pages. */
    ErrorPages PLAIN = (request, problem) -> Reply.html(
            problem.status(),
            ("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>" + problem.status()
                            + "</title><h1>" + Reply.title(problem.status()) + "</h1><p>"
                            + escaped(problem.detail()) + "</p></html>")
                    .getBytes(StandardCharsets.UTF_8));

    /** A page with the problem's status. */
    Reply page(Request request, ProblemException problem);

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
