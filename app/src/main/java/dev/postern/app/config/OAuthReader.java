package dev.postern.app.config;

import dev.postern.gate.agent.Permission;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.http.AddressGuard;
import dev.postern.mcp.oauth.ResourceServerSettings;
import dev.postern.mcp.oauth.ResourceServerSettings.AgentRule;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the {@code oauth} member: whose access tokens agents may present besides their keys (A1). */
final class OAuthReader {
    private static final String POINTER = "/oauth";
    private static final Set<String> MEMBERS =
            Set.of("issuer", "jwksUri", "resource", "algorithms", "scopes", "agents", "others");

    private final ConfigFile file;
    private final JsonValue oauth;

    OAuthReader(ConfigFile file, JsonValue oauth) {
        this.file = file;
        this.oauth = oauth;
    }

    /** @param url what the gateway calls itself where the file does not say */
    ResourceServerSettings read(String url) {
        if (!oauth.is(Kind.OBJECT)) {
            throw wrong(oauth, "", "this is not an object with \"issuer\"");
        }
        oauth.forEachMember((name, value) -> {
            if (!MEMBERS.contains(name.string())) {
                throw wrong(
                        name,
                        "",
                        "it has \"issuer\", \"jwksUri\", \"resource\", \"algorithms\", \"scopes\", \"agents\" and \"others\";"
                                + " correct or remove the member");
            }
        });
        JsonValue issuer = oauth.member("issuer");
        if (issuer == null) {
            throw wrong(oauth, "", "\"issuer\" is missing; it is the authorization server's address");
        }
        JsonValue keys = oauth.member("jwksUri");
        JsonValue resource = oauth.member("resource");
        return new ResourceServerSettings(
                address(issuer, "/issuer").toString(),
                keys == null ? null : address(keys, "/jwksUri"),
                resource == null ? url : origin(resource),
                algorithms(),
                scopes(),
                agents(),
                addsUnknown());
    }

    /** Keys and metadata that anybody on the way could change are worth nothing. */
    private URI address(JsonValue value, String below) {
        try {
            URI uri = new URI(text(value, below));
            if (AddressGuard.isTrusted(uri)) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        throw wrong(value, below, "this is no https address (http is taken on this machine alone)");
    }

    private String origin(JsonValue value) {
        URI uri = address(value, "/resource");
        if (!uri.getRawPath().isEmpty() || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw wrong(value, "/resource", "this has a path; name the gateway's scheme, host and port alone");
        }
        return uri.toString();
    }

    private Set<String> algorithms() {
        JsonValue listed = oauth.member("algorithms");
        if (listed == null) {
            return ResourceServerSettings.USUAL_ALGORITHMS;
        }
        Set<String> algorithms = new LinkedHashSet<>();
        for (JsonValue one : array(listed, "/algorithms")) {
            String algorithm = text(one, "/algorithms");
            if (!ResourceServerSettings.KNOWN_ALGORITHMS.contains(algorithm)) {
                throw wrong(
                        one,
                        "/algorithms",
                        "this is none of the signatures that are taken: RS, PS or ES with 256, 384 or 512");
            }
            algorithms.add(algorithm);
        }
        return algorithms;
    }

    private Map<Permission, String> scopes() {
        Map<Permission, String> scopes = new EnumMap<>(Permission.class);
        JsonValue named = oauth.member("scopes");
        if (named != null) {
            named.forEachMember((name, value) -> {
                try {
                    String scope = text(value, "/scopes");
                    if (scope.isEmpty() || scope.indexOf(' ') >= 0 || scope.indexOf('"') >= 0) {
                        throw wrong(value, "/scopes", "a scope is one word");
                    }
                    scopes.put(Permission.parse(name.string()), scope);
                } catch (IllegalArgumentException e) {
                    throw wrong(name, "/scopes", "a permission is tool.call or secret.use");
                }
            });
        }
        return scopes;
    }

    private List<AgentRule> agents() {
        List<AgentRule> rules = new ArrayList<>();
        JsonValue listed = oauth.member("agents");
        if (listed != null) {
            for (JsonValue one : array(listed, "/agents")) {
                String agent = one.string("agent");
                AgentRule rule = new AgentRule(one.string("subject"), one.string("client"), agent == null ? "" : agent);
                if (agent == null || (rule.subject() == null && rule.client() == null)) {
                    throw wrong(
                            one,
                            "/agents",
                            "an entry has \"agent\", and \"subject\" or \"client\" or both, as strings");
                }
                rules.add(rule);
            }
        }
        return rules;
    }

    private boolean addsUnknown() {
        JsonValue others = oauth.member("others");
        if (others == null) {
            return false;
        }
        return switch (text(others, "/others")) {
            case "add" -> true;
            case "refuse" -> false;
            default -> throw wrong(others, "/others", "this is neither \"refuse\" nor \"add\"");
        };
    }

    private List<JsonValue> array(JsonValue value, String below) {
        if (!value.is(Kind.ARRAY)) {
            throw wrong(value, below, "this is not an array");
        }
        return value.elements();
    }

    private String text(@Nullable JsonValue value, String below) {
        if (value == null || !value.is(Kind.STRING)) {
            throw wrong(value == null ? oauth : value, below, "this is not a string");
        }
        return value.string();
    }

    private ConfigException wrong(JsonValue at, String below, String what) {
        return new ConfigException(file.place(at, POINTER + below) + ": " + what + ".");
    }
}
