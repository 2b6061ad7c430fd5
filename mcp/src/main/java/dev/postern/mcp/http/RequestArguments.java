package dev.postern.mcp.http;

import dev.postern.gate.vault.UrlHost;
import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.catalog.OwnTools;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code http_request} is asked for, before or after values stand in it. No text of it is ever quoted back. */
final class RequestArguments {
    static final List<String> NAMES = List.of("method", "url", "headers", "body", "timeout_seconds");

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final long DEFAULT_SECONDS = 30;
    private static final long MAX_SECONDS = 300;

    /** They say where the message ends or whom it is for, which is not the agent's to say. */
    private static final Set<String> RESERVED_HEADERS = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final JsonValue arguments;
    private final String method;
    private final String url;

    private RequestArguments(JsonValue arguments, String method, String url) {
        this.arguments = arguments;
        this.method = method;
        this.url = url;
    }

    /** One header field. */
    record Header(String name, String value) {
        @Override
        public String toString() {
            return "Header[" + name + "]";
        }
    }

    /** @throws dev.postern.gate.call.RefusedException if they are not what the tool takes */
    static RequestArguments read(JsonValue arguments) {
        String url = arguments.string("url");
        if (url == null) {
            throw OwnTools.invalid("the argument 'url' is missing", "Send it as a string: https://host/path");
        }
        JsonValue named = arguments.member("method");
        String method =
                named == null ? "GET" : named.is(Kind.STRING) ? named.string().toUpperCase(Locale.ROOT) : "";
        if (!METHODS.contains(method)) {
            throw OwnTools.invalid(
                    "'method' is none of "
                            + String.join(", ", METHODS.stream().sorted().toList()),
                    "Send one of them; it cannot hold a reference");
        }
        RequestArguments read = new RequestArguments(arguments, method, url);
        read.host();
        read.headers();
        read.timeout();
        if (read.isOddBody()) {
            throw OwnTools.invalid("'body' is neither a string, an object nor an array", "Send text, or JSON as it is");
        }
        return read;
    }

    String method() {
        return method;
    }

    boolean isPlain() {
        return url.regionMatches(true, 0, "http:", 0, "http:".length());
    }

    /** In lower case, without its port. */
    String host() {
        boolean isWeb = isPlain() || url.regionMatches(true, 0, "https:", 0, "https:".length());
        String host = isWeb ? UrlHost.of(url).orElse(null) : null;
        if (host == null) {
            throw OwnTools.invalid(
                    "'url' is not one whose host is plain to read",
                    "Write https://host/path; a reference cannot stand in the host");
        }
        if (authority().indexOf('@') >= 0) {
            throw OwnTools.invalid(
                    "'url' has a user before its host",
                    "Send the header Authorization: Basic {{vault:NAME|basic}} instead");
        }
        return host;
    }

    /** The port that is written, or the scheme's. */
    int port() {
        String authority = authority();
        int colon = authority.lastIndexOf(':');
        boolean written = colon > authority.lastIndexOf(']');
        return written ? Integer.parseInt(authority, colon + 1, authority.length(), 10) : isPlain() ? 80 : 443;
    }

    private String authority() {
        int start = url.indexOf("://") + "://".length();
        int end = start;
        while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        return url.substring(start, end);
    }

    /** The URL, once values stand in it. */
    URI uri() {
        try {
            URI uri = new URI(url);
            return new URI(url.substring(
                    0,
                    url.length()
                            - (uri.getRawFragment() == null
                                    ? 0
                                    : uri.getRawFragment().length() + 1)));
        } catch (URISyntaxException e) {
            // Its message quotes the URL; ours does not.
            throw OwnTools.invalid(
                    "'url' holds a character that a URL cannot",
                    "Percent-encode it; for a value there is {{vault:NAME|uri}}");
        }
    }

    List<Header> headers() {
        JsonValue given = arguments.member("headers");
        if (given == null || given.is(Kind.NULL)) {
            return List.of();
        }
        if (!given.is(Kind.OBJECT)) {
            throw OwnTools.invalid("'headers' is not an object", "Send {\"Name\":\"value\"}");
        }
        List<Header> headers = new ArrayList<>();
        given.forEachMember((token, value) -> {
            String name = token.string();
            if (!isToken(name) || RESERVED_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                throw OwnTools.invalid(
                        "there is a header that cannot be sent",
                        "Leave out Host, Content-Length, Connection and the like");
            }
            for (JsonValue each : value.is(Kind.ARRAY) ? value.elements() : List.of(value)) {
                headers.add(new Header(name, text(each)));
            }
        });
        return headers;
    }

    private static String text(JsonValue value) {
        String text = value.is(Kind.STRING) ? value.string() : null;
        if (text == null || text.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7F)) {
            throw OwnTools.invalid(
                    "a header's value is no string, or holds a line end or another control character",
                    "Send one line of text; for a value that has several there is {{vault:NAME|base64}}");
        }
        return text;
    }

    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }

    /** The body as it is sent, which the caller wipes; null for none. */
    byte @Nullable [] body() {
        JsonValue body = arguments.member("body");
        if (body == null || body.is(Kind.NULL)) {
            return null;
        }
        return body.is(Kind.STRING) ? JsonStrings.unescape(body) : body.bytes();
    }

    /** Whether the body is JSON that the agent did not write as text. */
    boolean hasJsonBody() {
        JsonValue body = arguments.member("body");
        return body != null && (body.is(Kind.OBJECT) || body.is(Kind.ARRAY));
    }

    private boolean isOddBody() {
        JsonValue body = arguments.member("body");
        return body != null && !body.is(Kind.NULL) && !body.is(Kind.STRING) && !hasJsonBody();
    }

    Duration timeout() {
        JsonValue seconds = arguments.member("timeout_seconds");
        if (seconds == null || seconds.is(Kind.NULL)) {
            return Duration.ofSeconds(DEFAULT_SECONDS);
        }
        try {
            long asked = Long.parseLong(seconds.spelling());
            if (asked >= 1 && asked <= MAX_SECONDS) {
                return Duration.ofSeconds(asked);
            }
        } catch (NumberFormatException e) {
            // Not a whole number: below.
        }
        throw OwnTools.invalid("'timeout_seconds' is not a whole number of 1 to " + MAX_SECONDS, "Leave it out for 30");
    }
}
