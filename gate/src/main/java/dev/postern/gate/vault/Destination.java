package dev.postern.gate.vault;

import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.json.JsonTokens;
import dev.postern.json.JsonTokens.Token;
import dev.postern.json.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a call would carry a value (P9): its server and tool, and the hosts its arguments lead to.
 *
 * <p>Where somebody declared which arguments hold a URL or a host, those are read and no other. Else the host is guessed: it is looked
 * for in every argument whose name says that it holds a URL or a host, at any depth, and in every
 * string that starts like an absolute URL, whatever its name. All of them count: an agent that adds a second, harmless
 * URL gains nothing. What it may add is believed to be the tool's URL only where the tool's schema knows that argument.
 * A URL inside a longer text is a mention, not a destination.
 */
final class Destination {
    private final ToolCall call;
    private final @Nullable List<ArgumentPath> declared;
    private final TreeSet<String> hosts = new TreeSet<>();
    private boolean isUnknown;
    private boolean isToolsOwn;

    private Destination(ToolCall call, @Nullable List<ArgumentPath> declared) {
        this.call = call;
        this.declared = declared;
    }

    static Destination of(ToolCall call, DestinationArguments arguments) {
        Destination destination = new Destination(call, sound(call, arguments.of(call.tool())));
        if (destination.declared == null) {
            destination.guess();
        } else {
            destination.declared.forEach(path -> destination.read(call.arguments(), path.names(), 0));
        }
        return destination;
    }

    /** A declaration that the tool's schema contradicts was meant for another tool, and would leave hosts unseen. */
    private static @Nullable List<ArgumentPath> sound(ToolCall call, @Nullable List<ArgumentPath> declared) {
        boolean isSound = declared != null
                && declared.stream()
                        .allMatch(path -> schemaKnows(call, path.names().getFirst()));
        return isSound ? declared : null;
    }

    /** The server alone: for a call that no rule can stop and no person is asked about. */
    static Destination unread(ToolCall call) {
        return new Destination(call, null);
    }

    /** Whether the rules let a secret go here. A host rule needs every host to be known and listed, and one at least. */
    boolean isAllowedBy(DestinationRules rules) {
        boolean serverAllowed = rules.servers().isEmpty()
                || rules.servers().contains(call.tool().server());
        boolean toolAllowed =
                rules.tools().isEmpty() || rules.tools().contains(call.tool().toString());
        boolean hostsAllowed = rules.hosts().isEmpty()
                || (!isUnknown && isToolsOwn && hosts.stream().allMatch(rules::allowsHost));
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
        return new Resolved.Reach(leads || isOpenWorld(), !hosts.isEmpty(), leads && declared == null);
    }

    /** Only what a server says outright: that a hint's absence means true would make every tool one of the open world. */
    private boolean isOpenWorld() {
        ToolDefinition definition = call.definition();
        JsonValue hint = definition == null ? null : definition.json().path("annotations", "openWorldHint");
        return hint != null && hint.is(JsonValue.Kind.TRUE);
    }

    /** Readers of JSON differ about a name's case and about members that are there twice: all that could be meant are. */
    private void read(JsonValue value, List<String> names, int depth) {
        switch (value.kind()) {
            case NULL -> {}
            case ARRAY -> value.elements().forEach(element -> read(element, names, depth));
            case OBJECT -> {
                if (depth == names.size()) {
                    isUnknown = true;
                    return;
                }
                value.forEachMember((name, member) -> {
                    if (name.string().equalsIgnoreCase(names.get(depth))) {
                        read(member, names, depth + 1);
                    }
                });
            }
            case STRING -> declared(depth == names.size() ? value.string() : "");
            case NUMBER, TRUE, FALSE -> isUnknown = true;
        }
    }

    private void declared(String text) {
        Optional<String> host = UrlHost.looksLikeUrl(text) ? UrlHost.of(text) : UrlHost.ofAuthority(text);
        host.ifPresentOrElse(hosts::add, () -> isUnknown = true);
        isToolsOwn |= host.isPresent();
    }

    private void guess() {
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
        isToolsOwn |= host.isPresent() && (isUrlArgument || isHostArgument) && schemaKnows(call, topName);
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
    private static boolean schemaKnows(ToolCall call, String argument) {
        ToolDefinition definition = call.definition();
        JsonValue schema = definition == null ? null : definition.inputSchema();
        JsonValue properties = schema == null ? null : schema.member("properties");
        return properties == null || properties.member(argument) != null;
    }
}
