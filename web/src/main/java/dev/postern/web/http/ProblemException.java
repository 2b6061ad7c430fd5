package dev.postern.web.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** A request that is not granted, as its caller is told (RFC 9457). Thrown anywhere in an endpoint; never quotes data. */
public final class ProblemException extends RuntimeException {
    private final int status;
    private final String code;
    private final Map<String, Object> members;

    /**
     * A problem.
     *
     * @param status the HTTP status
     * @param code stable, upper case, such as {@code PORTAL_SESSION_REQUIRED}
     * @param detail what happened and what to do next
     */
    public ProblemException(int status, String code, String detail) {
        this(status, code, detail, Map.of());
    }

    /** As above, with further members of the problem document. */
    public ProblemException(int status, String code, String detail, Map<String, Object> members) {
        super(detail, null, false, false);
        this.status = status;
        this.code = code;
        this.members = new LinkedHashMap<>(members);
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    public Map<String, Object> members() {
        return Map.copyOf(members);
    }
}
