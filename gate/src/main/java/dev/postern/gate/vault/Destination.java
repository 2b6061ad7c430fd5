package dev.postern.gate.vault;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.json.JsonTokens;
import dev.postern.json.JsonTokens.Token;
import dev.postern.json.JsonValue;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Where a call would carry a value (P9): its server and tool, and the hosts its arguments lead to.
 *
 * <p>A host is looked for in every argument whose name says that it holds a URL or a host, at any depth, and in every
 * string that starts like an absolute URL, whatever its name. All of them count: an agent that adds a second, harmless
 * URL gains nothing. What it may add is believed to be the tool's URL only where the tool's schema knows that argument.
 * A URL inside a longer text is a mention, not a destination.
 */
final class Destination {
    private final ToolCall call;
    private final TreeSet<String> hosts = new TreeSet<>();
    private boolean isUnknown;
    private boolean isDeclared;

    private Destination(ToolCall call) {
        this.call = call;
    }

    static Destination of(ToolCall call) {
        Destination destination = new Destination(call);
        destination.read();
        return destination;
    }

    /** The server alone: for a call that no rule can stop and no person is asked about. */
    static Destination unread(ToolCall call) {
        return new Destination(call);
    }

    /** Whether the rules let a secret go here. A host rule needs every host to be known and listed, and one at least. */
    boolean isAllowedBy(DestinationRules rules) {
        boolean serverAllowed = rules.servers().isEmpty()
                || rules.servers().contains(call.tool().server());
        boolean toolAllowed =
                rules.tools().isEmpty() || rules.tools().contains(call.tool().toString());
        boolean hostsAllowed = rules.hosts().isEmpty()
                || (!isUnknown && isDeclared && hosts.stream().allMatch(rules::allowsHost));
        return serverAllowed && toolAllowed && hostsAllowed;
    }

    /** As the operator and a grant see it: {@code server} or {@code server → host, host}. */
    String label() {
        TreeSet<String> named = new TreeSet<>(hosts);
        if (isUnknown) {
            named.add(Resolved.UNKNOWN_HOST);
        }
        String server = call.tool().server();
        return named.isEmpty() ? server : server + " → " + String.join(", ", named);
    }

    /** How far the call leads. */
    Resolved.Reach reach() {
        boolean leads = isUnknown || !hosts.isEmpty();
        return new Resolved.Reach(leads || isOpenWorld(), !hosts.isEmpty(), leads);
    }

    /** Only what a server says outright: that a hint's absence means true would make every tool one of the open world. */
    private boolean isOpenWorld() {
        ToolDefinition definition = call.definition();
        JsonValue hint = definition == null ? null : definition.json().path("annotations", "openWorldHint");
        return hint != null && hint.is(JsonValue.Kind.TRUE);
    }

    private void read() {
        JsonTokens tokens = new JsonTokens(call.arguments());
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            if (token == Token.STRING && tokens.depth() > 0) {
                argument(
                        tokens.isObject(0) ? tokens.name(0) : "",
                        nearestName(tokens),
                        tokens.value().string());
            }
        }
    }

    private void argument(String topName, String name, String text) {
        boolean isUrl = UrlHost.looksLikeUrl(text);
        boolean isUrlArgument = namesUrl(name);
        boolean isHostArgument = namesHost(name);
        if (!isUrl && !isUrlArgument && !isHostArgument) {
            return;
        }
        Optional<String> host = isHostArgument && !isUrl ? UrlHost.ofAuthority(text) : UrlHost.of(text);
        host.ifPresentOrElse(hosts::add, () -> isUnknown = true);
        isDeclared |= host.isPresent() && (isUrlArgument || isHostArgument) && schemaKnows(topName);
    }

    private static String nearestName(JsonTokens tokens) {
        for (int level = tokens.depth() - 1; level >= 0; level--) {
            if (tokens.isObject(level)) {
                return tokens.name(level);
            }
        }
        return "";
    }

    private static boolean namesUrl(String name) {
        String singular = singular(name);
        return singular.endsWith("url")
                || singular.endsWith("uri")
                || singular.endsWith("endpoint")
                || singular.endsWith("href");
    }

    private static boolean namesHost(String name) {
        String singular = singular(name);
        return singular.equals("host") || singular.equals("hostname");
    }

    private static String singular(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith("s") ? lower.substring(0, lower.length() - 1) : lower;
    }

    /** Without a schema that lists properties, any argument may be the tool's. */
    private boolean schemaKnows(String argument) {
        ToolDefinition definition = call.definition();
        JsonValue schema = definition == null ? null : definition.inputSchema();
        JsonValue properties = schema == null ? null : schema.member("properties");
        return properties == null || properties.member(argument) != null;
    }
}
