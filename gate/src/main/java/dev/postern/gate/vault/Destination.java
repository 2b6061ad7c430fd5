package dev.postern.gate.vault;

import dev.postern.gate.call.ToolCall;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Where a call would carry a value: its server and tool, and the hosts of the URLs among its arguments (members named
 * url, uri or endpoint at the top level).
 */
final class Destination {
    private static final Set<String> URL_ARGUMENTS = Set.of("url", "uri", "endpoint");

    private final ToolCall call;
    private final List<String> hosts;
    private final boolean unclear;

    private Destination(ToolCall call, List<String> hosts, boolean unclear) {
        this.call = call;
        this.hosts = hosts;
        this.unclear = unclear;
    }

    static Destination of(ToolCall call) {
        List<String> hosts = new ArrayList<>();
        boolean[] unclear = {false};
        call.arguments().forEachMember((name, value) -> {
            if (URL_ARGUMENTS.contains(name.string().toLowerCase(Locale.ROOT)) && value.is(Kind.STRING)) {
                String host = host(value);
                if (host.isEmpty()) {
                    unclear[0] = true;
                } else if (!hosts.contains(host)) {
                    hosts.add(host);
                }
            }
        });
        return new Destination(call, hosts, unclear[0]);
    }

    /** Whether the rules let a secret go here. A host rule needs every URL's host to be known and listed. */
    boolean isAllowedBy(DestinationRules rules) {
        return (rules.servers().isEmpty()
                        || rules.servers().contains(call.tool().server()))
                && (rules.tools().isEmpty()
                        || rules.tools().contains(call.tool().toString()))
                && (rules.hosts().isEmpty()
                        || (!unclear && !hosts.isEmpty() && rules.hosts().containsAll(hosts)));
    }

    /** As the operator and a grant see it: {@code server} or {@code server → host, host}. */
    String label() {
        return hosts.isEmpty() ? call.tool().server() : call.tool().server() + " → " + String.join(", ", hosts);
    }

    /**
     * The host of a URL, in lower case; empty where there is none to rely on. A reference inside the authority could move
     * it, so the text before the path must be free of references.
     */
    private static String host(JsonValue value) {
        String url = value.string();
        int authority = url.indexOf("://");
        if (authority < 0) {
            return "";
        }
        int end = authority + 3;
        while (end < url.length() && "/?#\\".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String head = url.substring(0, end);
        int at = head.lastIndexOf('@');
        if (at > 0) {
            head = url.substring(0, authority + 3) + head.substring(at + 1);
        }
        try {
            String host = new URI(head).getHost();
            return host == null ? "" : host.toLowerCase(Locale.ROOT);
        } catch (URISyntaxException e) {
            return "";
        }
    }
}
