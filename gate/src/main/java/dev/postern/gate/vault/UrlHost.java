package dev.postern.gate.vault;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host a URL leads to, where every reader of it agrees; empty where two readers could differ. Readers differ about
 * backslashes, control characters, a missing slash, a userinfo that looks like a host. An agent that wants a secret
 * elsewhere would write just that, so a doubt is never resolved in its favour (P9).
 */
final class UrlHost {
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*");
    private static final Pattern PLAIN_HOST = Pattern.compile("([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?");
    /** Schemes whose readers take a URL for absolute however many slashes follow. */
    private static final Pattern WEB_SCHEME =
            Pattern.compile("(https?|wss?|ftp):.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private UrlHost() {}

    /** Whether some reader would take this string, whole, for an absolute URL. */
    static boolean looksLikeUrl(String text) {
        String read = asBrowsersRead(text);
        if (read.startsWith("//") || read.startsWith("\\\\") || read.startsWith("/\\") || read.startsWith("\\/")) {
            return true;
        }
        int scheme = read.indexOf("://");
        return (scheme > 0 && SCHEME.matcher(read.substring(0, scheme)).matches())
                || WEB_SCHEME.matcher(read).matches();
    }

    /** The host in lower case, without its port. */
    static Optional<String> of(String url) {
        int scheme = url.indexOf("://");
        if (scheme < 1 || !SCHEME.matcher(url.substring(0, scheme)).matches()) {
            return Optional.empty();
        }
        int start = scheme + "://".length();
        int end = endOfAuthority(url, start);
        String authority = url.substring(start, end);
        // A backslash ends the authority for some readers and not for others; so does a '?' or '#' before an '@'.
        boolean doubtful = end < url.length()
                && (url.charAt(end) == '\\' || (url.charAt(end) != '/' && url.indexOf('@', end) >= 0));
        int at = authority.lastIndexOf('@');
        if (doubtful || (at >= 0 && !isHarmlessUserinfo(authority.substring(0, at)))) {
            return Optional.empty();
        }
        return plain(authority.substring(at + 1));
    }

    /** The host of an argument that is a host, with or without a port. */
    static Optional<String> ofAuthority(String authority) {
        return plain(authority);
    }

    private static Optional<String> plain(String authority) {
        if (!PLAIN_HOST.matcher(authority).matches()) {
            return Optional.empty();
        }
        try {
            String host = new URI("x://" + authority).getHost();
            return Optional.ofNullable(host).map(known -> known.toLowerCase(Locale.ROOT));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static int endOfAuthority(String url, int start) {
        int end = start;
        while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /**
     * A value placed in the userinfo could hold a slash and so turn the userinfo into the host. Only the filter
     * {@code uri}, applied last, keeps it inside.
     */
    private static boolean isHarmlessUserinfo(String userinfo) {
        String rest = userinfo;
        for (int open = rest.indexOf("{{"); open >= 0; open = rest.indexOf("{{")) {
            int close = rest.indexOf("}}", open);
            if (close < 0 || !rest.substring(open, close).endsWith("|uri")) {
                return false;
            }
            rest = rest.substring(0, open) + rest.substring(close + 2);
        }
        return rest.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '@');
    }

    /** Browsers drop white space and control characters around a URL, and tabs and line ends within it. */
    private static String asBrowsersRead(String text) {
        int start = 0;
        while (start < text.length()
                && (text.charAt(start) <= ' '
                        || Character.isWhitespace(text.charAt(start))
                        || Character.isSpaceChar(text.charAt(start))
                        || text.charAt(start) == '\uFEFF')) {
            start++;
        }
        return text.substring(start).replaceAll("[\t\r\n]", "");
    }
}
