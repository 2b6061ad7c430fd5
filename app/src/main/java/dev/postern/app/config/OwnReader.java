package dev.postern.app.config;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the members of the file that are about Postern itself: {@code webhook}, {@code httpRequest} and {@code portal}. */
final class OwnReader {
    private final ConfigFile file;
    private final Variables variables;

    OwnReader(ConfigFile file, Variables variables) {
        this.file = file;
        this.variables = variables;
    }

    /** Null where there is none. */
    @Nullable
    ConfiguredWebhook webhook(JsonValue root) {
        JsonValue webhook = object(root, "webhook", Set.of("url", "secret", "outcomes", "arguments"));
        if (webhook == null) {
            return null;
        }
        return new ConfiguredWebhook(
                text(webhook, "url", "name the https address that messages are posted to"),
                text(webhook, "secret", "name what they are signed with, such as \"{{vault:webhook_secret}}\""),
                flag(webhook, "outcomes"),
                flag(webhook, "arguments"));
    }

    /** The hosts to which a secret may go over plain HTTP, in lower case. */
    List<String> plainHttpHosts(JsonValue root) {
        JsonValue request = object(root, "httpRequest", Set.of("plainHttpHosts"));
        JsonValue hosts = request == null ? null : request.member("plainHttpHosts");
        List<String> names = new ArrayList<>();
        if (hosts != null) {
            if (!hosts.is(Kind.ARRAY)) {
                throw wrong(hosts, "/httpRequest/plainHttpHosts", "this is not an array of host names");
            }
            for (JsonValue host : hosts.elements()) {
                if (!host.is(Kind.STRING)
                        || host.string().isEmpty()
                        || host.string().contains("/")) {
                    throw wrong(host, "/httpRequest/plainHttpHosts/" + names.size(), "this is not the name of a host");
                }
                names.add(host.string().toLowerCase(Locale.ROOT));
            }
        }
        return List.copyOf(names);
    }

    /** Null where there is none. Browsers keep cookies and passkeys for it, so it has no path. */
    @Nullable
    URI portalAddress(JsonValue root) {
        JsonValue portal = object(root, "portal", Set.of("address", "openid"));
        JsonValue address = portal == null ? null : portal.member("address");
        if (address == null) {
            return null;
        }
        try {
            URI uri = new URI(address.is(Kind.STRING) ? address.string().toLowerCase(Locale.ROOT) : "");
            boolean here = "localhost".equals(uri.getHost());
            if (uri.getHost() != null
                    && ("https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && here))
                    && uri.getRawUserInfo() == null
                    && uri.getRawPath().isEmpty()
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null) {
                return asBrowsersWriteIt(uri);
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw wrong(
                address,
                "/portal/address",
                "this is not an https address without a path, such as \"https://postern.example.com\"");
    }

    /** Without the port that goes without saying. */
    private static URI asBrowsersWriteIt(URI address) throws URISyntaxException {
        int usual = address.getScheme().equals("https") ? 443 : 80;
        return address.getPort() == usual ? new URI(address.getScheme(), address.getHost(), null, null) : address;
    }

    private @Nullable JsonValue object(JsonValue root, String name, Set<String> members) {
        JsonValue object = root.member(name);
        if (object == null) {
            return null;
        }
        if (!object.is(Kind.OBJECT)) {
            throw wrong(object, "/" + name, "this is not an object");
        }
        object.forEachMember((token, value) -> {
            if (!members.contains(token.string())) {
                throw wrong(
                        token,
                        "/" + name,
                        "it has " + String.join(", ", members.stream().sorted().toList())
                                + "; correct or remove the member");
            }
        });
        return object;
    }

    private Setting text(JsonValue object, String name, String remedy) {
        JsonValue value = object.member(name);
        if (value == null || !value.is(Kind.STRING) || value.string().isEmpty()) {
            throw wrong(value == null ? object : value, "/webhook/" + name, remedy);
        }
        String place = file.place(value, "/webhook/" + name);
        return new Setting(variables.expand(value.string(), place), place);
    }

    private boolean flag(JsonValue object, String name) {
        JsonValue value = object.member(name);
        if (value != null && !value.is(Kind.TRUE) && !value.is(Kind.FALSE)) {
            throw wrong(value, "/webhook/" + name, "this is neither true nor false");
        }
        return value != null && value.is(Kind.TRUE);
    }

    private ConfigException wrong(JsonValue at, String pointer, String what) {
        return new ConfigException(file.place(at, pointer) + ": " + what + ".");
    }
}
