package dev.postern.web.link;

import dev.postern.gate.call.Refusal;
import dev.postern.web.http.ProblemException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A refusal of the gate as problem details. */
final class Refusals {
    private Refusals() {}

    static ProblemException problem(Refusal refusal) {
        Map<String, Object> members = new LinkedHashMap<>(refusal.details());
        members.put("disposition", refusal.disposition());
        members.put("retryable", refusal.retryable());
        int status = refusal.code().equals("INVALID_ARGS")
                ? 400
                : switch (refusal.disposition()) {
                    case SECRET_UNRESOLVED -> 404;
                    case SECRET_FORBIDDEN, POLICY_DENIED, DENIED, APPROVAL_EXPIRED -> 403;
                    case APPROVAL_PENDING, CANCELLED -> 409;
                    case QUEUE_FULL -> 429;
                    case KILL_SWITCH -> 503;
                    case TIMED_OUT -> 504;
                    case SCRUB_FAILED, FAILED, EXECUTED -> 500;
                };
        return new ProblemException(status, refusal.code(), refusal.what() + ". " + refusal.next() + ".", members);
    }
}
