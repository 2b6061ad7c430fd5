package dev.postern.web.http;

import dev.postern.gate.agent.Right;
import dev.postern.json.JsonException;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** One request, as an endpoint sees it. Used by one thread; its body is wiped once the
 * endpoint has answered. */
public final class Request {
    private static final Set<String> LOOPBACK =
            Set.of("127.0.0.1", "[::1]", "::1", "0:0:0:0:0:0:0:1", "[0:0:0:0:0:0:0:1]");

    private final org.eclipse.jetty.server.Request jetty;
    private final Map<String, String> pathValues;
    private final @Nullable URI address;
    private byte[] body = {};
    private Identity caller = Identity.NOBODY;
    private @Nullable Fields query;
    private @Nullable Form form;

    Request(org.eclipse.jetty.server.Request jetty, Map<String, String> pathValues, @Nullable URI address) {
        this.jetty = jetty;
        this.pathValues = pathValues;
        this.address = address;
    }

    public String method() {
        return jetty.getMethod();
    }

    /** The path as it was sent, without the query. */
    public String path() {
        String path = jetty.getHttpURI().getPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    /** What stands in the path for a name of the route's template, decoded. */
    public String pathValue(String name) {
        String value = pathValues.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no such name in its template");
        }
        return value;
    }

    /** A segment that is a whole number as we write it; -1 for any other. */
    public long pathNumber(String name) {
        String text = pathValue(name);
        try {
            long number = Long.parseLong(text);
            return Long.toString(number).equals(text) ? number : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The first query parameter of a name, or null. */
    public @Nullable String query(String name) {
        return queries().getValue(name);
    }

    /** A query parameter that is a whole number. */
    public long queryNumber(String name, long otherwise, long least, long most) {
        String text = query(name);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw invalid("'" + name + "' is a whole number from " + least + " to " + most + ".");
    }

    private Fields queries() {
        if (query == null) {
            try {
                query = org.eclipse.jetty.server.Request.extractQueryParameters(jetty);
            } catch (RuntimeException e) {
                throw invalid("The query cannot be read; percent-encode it as UTF-8.");
            }
        }
        return query;
    }

    public @Nullable String header(String name) {
        return jetty.getHeaders().get(name);
    }

    /** The value of a cookie, or null. */
    public @Nullable String cookie(String name) {
        for (HttpCookie cookie : org.eclipse.jetty.server.Request.getCookies(jetty)) {
            if (cookie.getName().equals(name)) {
                return cookie.getValue();
            }
        }
        return null;
    }

    /** Who sent it. */
    public Identity caller() {
        return caller;
    }

    /** The person who sent it; for routes that only people can call. */
    public Identity.Person person() {
        if (caller instanceof Identity.Person person) {
            return person;
        }
        throw new IllegalStateException("a route that wants a person must say so in its access rule");
    }

    /** Whether whoever sent it has a right, for pages that show or hide. */
    public boolean may(Right right) {
        return caller.may(right);
    }

    /**
     * For acts that are sensitive only sometimes: goes on where the person proved just now that it is them.
     *
     * @throws ProblemException 403 {@code CONFIRMATION_REQUIRED} otherwise
     */
    public void requireConfirmed() {
        person().requireConfirmed();
    }

    /** Whether a browser says that a page of another site, or of another port, sent it. */
    public boolean isForeign() {
        return CrossSite.isForeign(this);
    }

    /** The whole body. Shared, and wiped once the endpoint has answered: keep nothing of it. */
    public byte[] body() {
        return body;
    }

    /**
     * The body as a JSON object. What may be secret in it is asked for by {@link #secretField}.
     *
     * @throws ProblemException 415 if it is said to be something else, 400 if it is no JSON object
     */
    public JsonValue json() {
        if (!hasType("application/json")) {
            throw new ProblemException(
                    415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as 'Content-Type: application/json'.");
        }
        try {
            JsonValue json = JsonValue.parse(body);
            if (json.is(JsonValue.Kind.OBJECT)) {
                return json;
            }
        } catch (JsonException e) {
            throw invalid("The body is not valid JSON: " + e.getMessage() + ".");
        }
        throw invalid("The body is not a JSON object.");
    }

    /** As {@link #json()}, where no body at all stands for an empty object. */
    public JsonValue jsonOrEmpty() {
        return body.length == 0 ? JsonValue.parse(new byte[] {'{', '}'}) : json();
    }

    /**
     * The body as a form.
     *
     * @throws ProblemException 415 if it is none
     */
    public Form form() {
        if (form == null) {
            if (hasType(Form.URLENCODED)) {
                form = Form.urlencoded(body);
            } else if (hasType(Form.MULTIPART)) {
                form = Form.multipart(body, String.valueOf(header("Content-Type")));
            } else {
                throw new ProblemException(415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as a form.");
            }
        }
        return form;
    }

    boolean hasForm() {
        return hasType(Form.URLENCODED) || hasType(Form.MULTIPART);
    }

    /** The first field of a form, or null. Never for what may be secret. */
    public @Nullable String field(String name) {
        return form().text(name);
    }

    /** Every field of a name. */
    public List<String> fields(String name) {
        return form().texts(name);
    }

    /** What may be secret: a member of the JSON body or a field of the form, as bytes that the caller closes. */
    public Optional<SecretValue> secretField(String name) {
        if (hasForm()) {
            return form().secret(name);
        }
        JsonValue member = json().member(name);
        if (member == null || member.is(JsonValue.Kind.NULL)) {
            return Optional.empty();
        }
        if (!member.is(JsonValue.Kind.STRING)) {
            throw invalid("'" + name + "' is not a string.");
        }
        byte[] bytes = JsonStrings.unescape(member);
        try {
            return Optional.of(new SecretValue(bytes));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Whether whoever sent it would rather see a page than a document. */
    public boolean wantsPage() {
        String accept = header("Accept");
        return accept != null && accept.contains("text/html");
    }

    /**
     * The address of whoever asks, for limits on how often, and for nothing else: what a proxy on this machine says of requests for
     * the configured host is believed, as far as the proxy itself wrote it.
     */
    public String remoteAddress() {
        String peer = org.eclipse.jetty.server.Request.getRemoteAddr(jetty);
        String forwarded = header("X-Forwarded-For");
        if (forwarded == null || address == null) {
            return peer;
        }
        boolean isProxied = origin().equals(address.toString()) && LOOPBACK.contains(peer);
        return isProxied ? forwarded.substring(forwarded.lastIndexOf(',') + 1).strip() : peer;
    }

    /** Whether it came over TLS, to us or to the proxy in front of us. */
    public boolean isSecure() {
        return jetty.isSecure() || origin().startsWith("https:");
    }

    /**
     * Scheme, host and port as the caller wrote them, such as {@code http://127.0.0.1:7437}. Of a host that the operator
     * configured the scheme is known; TLS may have ended before us.
     */
    public String origin() {
        String written = jetty.getHttpURI().getScheme();
        String scheme = written == null ? "http" : written;
        String host = header("Host");
        if (host == null) { // HTTP/2 has an :authority instead
            host = org.eclipse.jetty.server.Request.getServerName(jetty) + ":"
                    + org.eclipse.jetty.server.Request.getServerPort(jetty);
        }
        if (address != null && isAuthority(host, address)) {
            return address.getScheme() + "://" + address.getAuthority();
        }
        return scheme + "://" + withoutDefaultPort(host, scheme).toLowerCase(Locale.ROOT);
    }

    private static boolean isAuthority(String host, URI address) {
        return withoutDefaultPort(host, address.getScheme()).equalsIgnoreCase(address.getAuthority());
    }

    /** Browsers leave out the port that goes without saying. */
    private static String withoutDefaultPort(String host, String scheme) {
        String port = scheme.equals("https") ? ":443" : ":80";
        return host.endsWith(port) ? host.substring(0, host.length() - port.length()) : host;
    }

    /** The port of ours that it came to. */
    public int port() {
        return org.eclipse.jetty.server.Request.getLocalPort(jetty);
    }

    /** A 400 that says what is wrong. */
    public static ProblemException invalid(String detail) {
        return new ProblemException(400, "INVALID_REQUEST", detail);
    }

    private boolean hasType(String type) {
        String sent = header("Content-Type");
        return sent != null && sent.toLowerCase(Locale.ROOT).startsWith(type);
    }

    void identified(Identity by) {
        caller = by;
    }

    void received(byte[] bytes) {
        body = bytes;
    }

    void wipe() {
        Arrays.fill(body, (byte) 0);
    }

    @Override
    public String toString() {
        return "Request[" + method() + "]"; // a path may hold a token
    }
}
