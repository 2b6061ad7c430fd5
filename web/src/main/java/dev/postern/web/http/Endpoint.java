package dev.postern.web.http;

/** Answers requests of one route. Runs on a virtual thread, which it may block. */
@FunctionalInterface
public interface Endpoint {
    /**
     * The answer.
     *
     * @throws ProblemException what the caller has to be told; anything else becomes a 500 that says nothing
     */
    Reply answer(Request request) throws Exception;
}
