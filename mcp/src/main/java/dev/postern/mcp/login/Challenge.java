package dev.postern.mcp.login;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters of a {@code WWW-Authenticate: Bearer …} (RFC 9110, RFC 6750, RFC 9728). */
final class Challenge {
    /** At the start or after another challenge; the name of the scheme could stand in somebody's realm, too. */
    private static final Pattern SCHEME = Pattern.compile("(?:^|,)\\s*bearer(?=\\s|$)", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> parameters = new LinkedHashMap<>();

    /** Reads one; whatever is no Bearer challenge has no parameters. */
    static Challenge of(@Nullable String header) {
        Challenge challenge = new Challenge();
        if (header == null) {
            return challenge;
        }
        Matcher scheme = SCHEME.matcher(header);
        int at = scheme.find() ? scheme.end() : header.length();
        while (at < header.length()) {
            int equals = header.indexOf('=', at);
            if (equals < 0) {
                break;
            }
            String name = header.substring(at, equals).replace(',', ' ').strip().toLowerCase(Locale.ROOT);
            StringBuilder value = new StringBuilder();
            at = equals + 1;
            if (at < header.length() && header.charAt(at) == '"') {
                at++;
                while (at < header.length() && header.charAt(at) != '"') {
                    at += header.charAt(at) == '\\' && at + 1 < header.length() ? 1 : 0;
                    value.append(header.charAt(at++));
                }
                at++;
            } else {
                while (at < header.length() && header.charAt(at) != ',' && header.charAt(at) != ' ') {
                    value.append(header.charAt(at++));
                }
            }
            challenge.parameters.putIfAbsent(name, value.toString());
        }
        return challenge;
    }

    @Nullable
    String get(String name) {
        return parameters.get(name);
    }
}
