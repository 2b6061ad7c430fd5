package dev.postern.app.config;

import dev.postern.gate.agent.Role;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import dev.postern.mcp.http.AddressGuard;
import dev.postern.web.openid.OpenIdSettings.ClientAuthentication;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code portal.openid}: the provider with whose accounts people sign in. */
final class OpenIdReader {
    private static final String POINTER = "/portal/openid";
    private static final Set<String> MEMBERS = Set.of(
            "issuer", "name", "clientId", "clientSecret", "clientAuthentication", "scopes", "people", "claim", "roles");

    private final ConfigFile file;
    private final Variables variables;
    private final JsonValue openId;

    OpenIdReader(ConfigFile file, Variables variables, JsonValue openId) {
        this.file = file;
        this.variables = variables;
        this.openId = openId;
    }

    ConfiguredOpenId read() {
        if (!openId.is(Kind.OBJECT)) {
            throw wrong(openId, "", "this is not an object with \"issuer\" and \"clientId\"");
        }
        openId.forEachMember((name, value) -> {
            if (!MEMBERS.contains(name.string())) {
                throw wrong(
                        name,
                        "",
                        "it has " + String.join(", ", MEMBERS.stream().sorted().toList())
                                + "; correct or remove the member");
            }
        });
        URI issuer = issuer();
        JsonValue secret = openId.member("clientSecret");
        JsonValue name = openId.member("name");
        JsonValue claim = openId.member("claim");
        Map<String, String> people = people();
        if (people.isEmpty() && claim == null) {
            throw wrong(openId, "", "\"people\" or \"claim\" is missing: without one, nobody could sign in");
        }
        return new ConfiguredOpenId(
                issuer.toString(),
                name == null ? issuer.getHost() : text(name, "/name"),
                text(openId.member("clientId"), "/clientId"),
                secret == null ? null : setting(secret),
                clientAuthentication(),
                scopes(),
                people,
                claim == null ? null : text(claim, "/claim"),
                rolesClaim(),
                roles());
    }

    private URI issuer() {
        JsonValue value = openId.member("issuer");
        try {
            URI uri = new URI(text(value, "/issuer"));
            if (AddressGuard.isTrusted(uri) && uri.getRawQuery() == null && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw wrong(
                value == null ? openId : value,
                "/issuer",
                "this is no https address (http is taken on this machine alone)");
    }

    private Setting setting(JsonValue value) {
        String place = file.place(value, POINTER + "/clientSecret");
        return new Setting(variables.expand(text(value, "/clientSecret"), place), place);
    }

    private @Nullable ClientAuthentication clientAuthentication() {
        JsonValue value = openId.member("clientAuthentication");
        if (value == null) {
            return null;
        }
        return switch (text(value, "/clientAuthentication")) {
            case "basic" -> ClientAuthentication.BASIC;
            case "post" -> ClientAuthentication.POST;
            default ->
                throw wrong(
                        value,
                        "/clientAuthentication",
                        "this is \"basic\" or \"post\"; without it, what the provider says it takes");
        };
    }

    private List<String> scopes() {
        JsonValue listed = openId.member("scopes");
        if (listed == null) {
            return List.of("openid", "profile", "email");
        }
        List<String> scopes = new ArrayList<>();
        for (JsonValue one : listed.elements()) {
            scopes.add(text(one, "/scopes"));
        }
        if (!scopes.contains("openid")) {
            throw wrong(listed, "/scopes", "\"openid\" is missing among them");
        }
        return scopes;
    }

    private Map<String, String> people() {
        Map<String, String> people = new LinkedHashMap<>();
        JsonValue listed = openId.member("people");
        if (listed != null) {
            for (JsonValue one : listed.elements()) {
                String subject = one.string("subject");
                String person = one.string("person");
                if (subject == null || person == null) {
                    throw wrong(one, "/people", "an entry has \"subject\" and \"person\", as strings");
                }
                people.put(subject, person);
            }
        }
        return people;
    }

    private @Nullable String rolesClaim() {
        JsonValue roles = openId.member("roles");
        return roles == null ? null : text(roles.member("claim"), "/roles/claim");
    }

    private Map<String, Role> roles() {
        Map<String, Role> roles = new LinkedHashMap<>();
        JsonValue given = openId.member("roles");
        JsonValue groups = given == null ? null : given.member("groups");
        if (groups != null) {
            groups.forEachMember((group, value) -> {
                String role = text(value, "/roles/groups");
                switch (role) {
                    case "member" -> roles.put(group.string(), Role.MEMBER);
                    case "approver" -> roles.put(group.string(), Role.APPROVER);
                    default ->
                        throw wrong(
                                value,
                                "/roles/groups",
                                "a group gives \"member\" or \"approver\"; administrators are made in the portal");
                }
            });
        }
        return roles;
    }

    private String text(@Nullable JsonValue value, String below) {
        if (value == null || !value.is(Kind.STRING) || value.string().isEmpty()) {
            throw wrong(value == null ? openId : value, below, "this is missing, or no text");
        }
        return value.string();
    }

    private ConfigException wrong(JsonValue at, String below, String what) {
        return new ConfigException(file.place(at, POINTER + below) + ": " + what + ".");
    }
}
