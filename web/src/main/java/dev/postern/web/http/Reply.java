package dev.postern.web.http;

import dev.postern.json.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** What a request is answered: a status, headers, and bytes or a stream of events. Immutable. */
public final class Reply {
    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final @Nullable EventSource events;
    private final @Nullable BodyWriter writer;

    private Reply(int status, List<Header> headers, byte[] body, @Nullable EventSource events) {
        this(status, headers, body, events, null);
    }

    private Reply(
            int status, List<Header> headers, byte[] body, @Nullable EventSource events, @Nullable BodyWriter writer) {
        this.status = status;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.events = events;
        this.writer = writer;
    }

    record Header(String name, String value) {}

    /** A document: what {@link JsonWriter} writes. */
    public static Reply json(@Nullable Object document) {
        return json(200, document);
    }

    public static Reply json(int status, @Nullable Object document) {
        return bytes(status, "application/json", JsonWriter.write(document));
    }

    /** A whole page, or a part of one. */
    public static Reply html(byte[] page) {
        return html(200, page);
    }

    public static Reply html(int status, byte[] page) {
        return bytes(status, "text/html; charset=utf-8", page);
    }

    public static Reply bytes(int status, String contentType, byte[] body) {
        return new Reply(status, List.of(new Header("Content-Type", contentType)), body, null);
    }

    /** Done, and nothing to say. */
    public static Reply empty() {
        return new Reply(204, List.of(), new byte[0], null);
    }

    /** The caller has it already. */
    static Reply notModified() {
        return new Reply(304, List.of(), new byte[0], null);
    }

    /** Go there with GET; for what a form was posted to. Only to paths of our own. */
    public static Reply redirect(String path) {
        if (!isLocal(path)) {
            throw new IllegalArgumentException("a redirect leads to a path of our own");
        }
        return new Reply(303, List.of(new Header("Location", path)), new byte[0], null);
    }

    /** Go to another site; only for an address of the configuration, never one that came with a request. */
    public static Reply redirectAbroad(String address) {
        return new Reply(303, List.of(new Header("Location", address)), new byte[0], null);
    }

    /** Whether a text is a path here, and no way to say another host. */
    public static boolean isLocal(String path) {
        return path.startsWith("/")
                && !path.startsWith("//")
                && path.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\');
    }

    /** Problem details (RFC 9457). */
    public static Reply problem(int status, String code, String detail) {
        return problem(new ProblemException(status, code, detail));
    }

    static Reply problem(ProblemException problem) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "type",
                "urn:postern:problem:" + problem.code().toLowerCase(Locale.ROOT).replace('_', '-'));
        document.put("title", title(problem.status()));
        document.put("status", problem.status());
        document.put("code", problem.code());
        document.put("detail", problem.detail());
        document.putAll(problem.members());
        return bytes(problem.status(), "application/problem+json", JsonWriter.write(document));
    }

    /** A stream of server-sent events, until the reader goes, signs out, or the gateway stops. */
    public static Reply events(EventSource source) {
        return new Reply(
                200,
                List.of(new Header("Content-Type", "text/event-stream"), new Header("X-Accel-Buffering", "no")),
                new byte[0],
                source);
    }

    /** What is too long to hold: written as it is made. */
    public static Reply stream(String contentType, BodyWriter writer) {
        return new Reply(200, List.of(new Header("Content-Type", contentType)), new byte[0], null, writer);
    }

    /** Writes a body. */
    @FunctionalInterface
    public interface BodyWriter {
        /** The stream is the caller's to close. */
        void write(OutputStream out) throws IOException;
    }

    /** The same with a header more; one of that name, set before, is replaced unless it is a cookie. */
    public Reply with(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        if (!name.equalsIgnoreCase("Set-Cookie")) {
            more.removeIf(header -> header.name.equalsIgnoreCase(name));
        }
        more.add(new Header(name, value));
        return new Reply(status, more, body, events, writer);
    }

    /** The same, to be saved as a file. */
    public Reply asFile(String name) {
        return with("Content-Disposition", "attachment; filename=\"" + name + "\"");
    }

    /**
     * The same with an entity tag of its bytes; 304 without them where the caller has these already. For lists that are
     * polled.
     */
    public Reply tagged(Request request) {
        String tag = entityTag(body);
        Reply tagged = with("ETag", tag);
        return matches(request.header("If-None-Match"), tag)
                ? new Reply(304, tagged.headers.stream().filter(Reply::mayStay).toList(), new byte[0], null)
                : tagged;
    }

    static boolean matches(@Nullable String ifNoneMatch, String tag) {
        return ifNoneMatch != null
                && Arrays.stream(ifNoneMatch.split(","))
                        .map(String::trim)
                        .map(known -> known.startsWith("W/") ? known.substring(2) : known)
                        .anyMatch(known -> known.equals(tag) || known.equals("*"));
    }

    static String entityTag(byte[] body) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
            return '"' + HexFormat.of().formatHex(hash, 0, 16) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256");
        }
    }

    private static boolean mayStay(Header header) {
        return !header.name.equalsIgnoreCase("Content-Type");
    }

    /** The usual words for a status. */
    static String title(int status) {
        return HttpStatus.getMessage(status);
    }

    public int status() {
        return status;
    }

    /** The value of a header, or null. */
    public @Nullable String header(String name) {
        return headers.stream()
                .filter(header -> header.name.equalsIgnoreCase(name))
                .map(Header::value)
                .findFirst()
                .orElse(null);
    }

    List<Header> headers() {
        return headers;
    }

    /** The bytes; shared, read only. */
    byte[] body() {
        return body;
    }

    @Nullable
    BodyWriter writer() {
        return writer;
    }

    @Nullable
    EventSource source() {
        return events;
    }
}
