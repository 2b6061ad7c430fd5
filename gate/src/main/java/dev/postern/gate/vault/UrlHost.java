package dev.postern.gate.vault;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The host a URL leads to, where every reader of it agrees; empty where two readers could differ. Readers differ about
 * backslashes, control characters, a missing slash, a userinfo that looks like a host. An agent that wants a secret
 * elsewhere would write just that, so a doubt is never resolved in its favour (P9). Linear in the length of the text.
 */
public final class UrlHost {
    /** Of these, readers take a URL for absolute however many slashes follow. */
    private static final List<String> WEB_SCHEMES = List.of("http:", "https:", "ws:", "wss:", "ftp:");

    private static final String AFTER_SCHEME = "://";
    private static final int MAX_AUTHORITY = 300;

    private UrlHost() {}

    /** Whether some reader would take this string for an absolute URL, with or without more text after it. */
    static boolean looksLikeUrl(String text) {
        String read = asBrowsersRead(text);
        if (read.length() > 1 && isSlash(read.charAt(0)) && isSlash(read.charAt(1))) {
            return true;
        }
        return isScheme(read, read.indexOf(AFTER_SCHEME))
                || WEB_SCHEMES.stream().anyMatch(scheme -> read.regionMatches(true, 0, scheme, 0, scheme.length()));
    }

    /** The host in lower case, without its port. */
    public static Optional<String> of(String url) {
        int scheme = url.indexOf(AFTER_SCHEME);
        if (!isScheme(url, scheme)) {
            return Optional.empty();
        }
        int start = scheme + AFTER_SCHEME.length();
        int end = endOfAuthority(url, start);
        String authority = url.substring(start, end);
        // A backslash ends the authority for some readers and not for others; so does a '?' or '#' before an '@'.
        boolean doubtful = end < url.length()
                && (url.charAt(end) == '\\' || (url.charAt(end) != '/' && url.indexOf('@', end) >= 0));
        int at = authority.lastIndexOf('@');
        if (doubtful || (at >= 0 && !isHarmlessUserinfo(authority.substring(0, at)))) {
            return Optional.empty();
        }
        return ofAuthority(authority.substring(at + 1));
    }

    /** The host of a text that is a host, with or without a port. */
    static Optional<String> ofAuthority(String authority) {
        if (authority.length() > MAX_AUTHORITY || !authority.chars().allMatch(UrlHost::mayStandInAuthority)) {
            return Optional.empty();
        }
        try {
            URI uri = new URI("x://" + authority);
            boolean isPortSound = !authority.endsWith(":") && uri.getPort() <= 65_535;
            String host = isPortSound ? uri.getHost() : null;
            return Optional.ofNullable(host).map(known -> known.toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static boolean mayStandInAuthority(int c) {
        return isAsciiLetter(c) || isAsciiDigit(c) || c == '.' || c == '-' || c == ':' || c == '[' || c == ']';
    }

    /** Whether {@code text[0, end)} is a scheme (RFC 3986, 3.1). */
    private static boolean isScheme(String text, int end) {
        return end > 0
                && isAsciiLetter(text.charAt(0))
                && text.substring(0, end)
                        .chars()
                        .allMatch(c -> isAsciiLetter(c) || isAsciiDigit(c) || c == '+' || c == '.' || c == '-');
    }

    private static int endOfAuthority(String url, int start) {
        int end = start;
        while (end < url.length() && !isSlash(url.charAt(end)) && url.charAt(end) != '?' && url.charAt(end) != '#') {
            end++;
        }
        return end;
    }

    /**
     * A value placed in the userinfo could hold a slash and so turn the userinfo into the host. Only the filter
     * {@code uri}, applied last, keeps it inside.
     */
    private static boolean isHarmlessUserinfo(String userinfo) {
        int at = 0;
        while (at < userinfo.length()) {
            if (userinfo.startsWith("{{", at)) {
                int close = userinfo.indexOf("}}", at);
                if (close < 0 || !userinfo.startsWith("|uri", close - "|uri".length())) {
                    return false;
                }
                at = close + "}}".length();
                continue;
            }
            char c = userinfo.charAt(at++);
            if (c <= ' ' || c >= 0x7F || c == '@') {
                return false;
            }
        }
        return true;
    }

    /** Browsers drop white space and control characters before a URL, and tabs and line ends within it. */
    private static String asBrowsersRead(String text) {
        int start = 0;
        while (start < text.length() && isBlank(text.charAt(start))) {
            start++;
        }
        StringBuilder read = new StringBuilder(text.length() - start);
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\t' && c != '\r' && c != '\n') {
                read.append(c);
            }
        }
        return read.toString();
    }

    private static boolean isBlank(char c) {
        return c <= ' ' || c == '\uFEFF' || Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    private static boolean isAsciiLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isAsciiDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
