package dev.postern.web.api;

import dev.postern.gate.agent.Right;
import dev.postern.gate.person.Person;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.gate.vault.VaultWriter.Change;
import dev.postern.gate.vault.VaultWriter.NewSecret;
import dev.postern.gate.vault.Website;
import dev.postern.json.JsonValue;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.http.RouteDoc;
import dev.postern.web.http.Schema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code /api/vault/secrets}: names for everybody who is known, writes for people, values for nobody (V1, V3). */
final class SecretApi {
    private static final String TAG = "Vault";
    private static final int PAGE = 200;
    private static final int LARGEST_PAGE = 1_000;

    /** Whose secrets the command line's are. */
    private static final String LOCAL_USER = "local";

    private static final Schema WRITTEN =
            Shapes.SECRET.optional("warning", Schema.text("What is to be said of the value."));
    private static final Schema SENT = Schema.object()
            .optional("value", Schema.secret("At most 8 KB; needed for a new secret. Never comes back."))
            .optional("notes", Schema.secret("Kept sealed, as the value is."))
            .optional("website", Schema.text("Where it is used."))
            .optional("username", Schema.text("Who it belongs to."))
            .optional("description", Schema.text("What agents see of it."))
            .optional("tags", Shapes.NAMES)
            .optional("allow", Shapes.ALLOW);

    private final Vault vault;
    private final Function<String, VaultWriter> writers;

    SecretApi(Vault vault, Function<String, VaultWriter> writers) {
        this.vault = vault;
        this.writers = writers;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/api/vault/secrets",
                        Access.needs(Right.LIST_SECRETS),
                        this::list,
                        RouteDoc.of(TAG, "listSecrets", "Names, descriptions and fields, by name; never a value")
                                .query("after", Schema.text("The name after which the page begins."))
                                .query(
                                        "limit",
                                        Schema.number("At most so many; 200 where it is missing, 1000 at most."))
                                .answers(Shapes.pageOf("secrets", Shapes.SECRET))),
                new Route(
                        "GET",
                        "/api/vault/secrets/{name}",
                        Access.needs(Right.LIST_SECRETS),
                        request ->
                                Reply.json(Documents.secret(existing(request))).tagged(request),
                        RouteDoc.of(TAG, "getSecret", "One secret without its value")
                                .answers(Shapes.SECRET)
                                .refuses("404 VAULT_SECRET_NOT_FOUND")),
                new Route(
                        "PUT",
                        "/api/vault/secrets/{name}",
                        Access.needs(Right.WRITE_OWN_SECRETS),
                        this::put,
                        RouteDoc.of(TAG, "putSecret", "Add a secret, or change some of it; what is left out stays")
                                .takes(SENT)
                                .answers(WRITTEN)
                                .refuses("403 NOT_YOUR_SECRET")),
                new Route(
                        "DELETE",
                        "/api/vault/secrets/{name}",
                        Access.needs(Right.WRITE_OWN_SECRETS),
                        this::delete,
                        RouteDoc.of(TAG, "deleteSecret", "Remove a secret and every version of it")
                                .refuses("403 NOT_YOUR_SECRET", "404 VAULT_SECRET_NOT_FOUND")));
    }

    private Reply list(Request request) {
        String after = request.query("after");
        int limit = (int) request.queryNumber("limit", PAGE, 1, LARGEST_PAGE);
        List<SecretRecord> page = vault.list().stream()
                .filter(secret -> after == null || secret.name().compareTo(after) > 0)
                .limit(limit + 1L)
                .toList();
        boolean more = page.size() > limit;
        List<SecretRecord> shown = more ? page.subList(0, limit) : page;
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("secrets", shown.stream().map(Documents::secret).toList());
        document.put("next", more ? shown.getLast().name() : null);
        return Reply.json(document).tagged(request);
    }

    private Optional<SecretRecord> find(String name) {
        return vault.list().stream()
                .filter(secret -> secret.name().equals(name))
                .findFirst();
    }

    private SecretRecord existing(Request request) {
        return find(request.pathValue("name")).orElseThrow(SecretApi::notFound);
    }

    private static ProblemException notFound() {
        return new ProblemException(
                404, "VAULT_SECRET_NOT_FOUND", "There is no secret of that name; GET /api/vault/secrets lists them.");
    }

    private Reply put(Request request) {
        String name = request.pathValue("name");
        JsonValue body = request.json();
        Optional<SecretRecord> before = find(name);
        before.ifPresent(secret -> requireOwn(request, secret));
        try (SecretValue value = request.secretField("value").orElse(null);
                SecretValue notes = request.secretField("notes").orElse(null)) {
            VaultWriter writer = writers.apply(request.person().name());
            SecretRecord written = before.isPresent()
                    ? writer.change(
                            name, change(body, value, notes, before.get().destinations()))
                    : writer.add(added(name, body, value, notes, owner(request.person())));
            Map<String, @Nullable Object> document = Documents.secret(written);
            @Nullable String warning = value == null ? null : Documents.warning(written, value);
            if (warning != null) {
                document.put("warning", warning);
            }
            return Reply.json(before.isPresent() ? 200 : 201, document);
        } catch (IllegalArgumentException e) {
            throw Request.invalid(String.valueOf(e.getMessage()));
        }
    }

    private static Change change(
            JsonValue body, @Nullable SecretValue value, @Nullable SecretValue notes, DestinationRules before) {
        return new Change(
                value,
                notes,
                website(body),
                Members.text(body, "username"),
                Members.text(body, "description"),
                Members.texts(body, "tags"),
                Members.present(body, "allow") == null ? null : rules(body, before));
    }

    private static NewSecret added(
            String name, JsonValue body, @Nullable SecretValue value, @Nullable SecretValue notes, String owner) {
        if (value == null) {
            throw Request.invalid("'value' is missing: a new secret needs one.");
        }
        List<String> tags = Members.texts(body, "tags");
        return new NewSecret(
                name,
                value,
                notes,
                website(body),
                Members.text(body, "username"),
                Members.text(body, "description"),
                tags == null ? List.of() : tags,
                Members.present(body, "allow") == null
                        ? DestinationRules.ANYWHERE
                        : rules(body, DestinationRules.ANYWHERE),
                owner);
    }

    private static @Nullable String website(JsonValue body) {
        @Nullable String website = Members.text(body, "website");
        if (website != null) {
            Website.check(website);
        }
        return website;
    }

    private static DestinationRules rules(JsonValue body, DestinationRules before) {
        JsonValue allow = body.member("allow");
        if (allow == null || !allow.is(JsonValue.Kind.OBJECT)) {
            throw Request.invalid("'allow' is not an object.");
        }
        List<String> servers = Members.texts(allow, "servers");
        List<String> tools = Members.texts(allow, "tools");
        List<String> hosts = Members.texts(allow, "hosts");
        return DestinationRules.written(
                servers == null ? before.servers() : servers,
                tools == null ? before.tools() : tools,
                hosts == null ? before.hosts() : hosts);
    }

    private Reply delete(Request request) {
        SecretRecord secret = existing(request);
        requireOwn(request, secret);
        if (!writers.apply(request.person().name()).remove(secret.name())) {
            throw notFound();
        }
        return Reply.empty();
    }

    /** A2: a member writes their own, an administrator anybody's. */
    private static void requireOwn(Request request, SecretRecord secret) {
        if (!request.may(Right.WRITE_ALL_SECRETS) && !secret.owner().equals(owner(request.person()))) {
            throw new ProblemException(
                    403, "NOT_YOUR_SECRET", "This secret belongs to somebody else; an administrator can change it.");
        }
    }

    private static String owner(Identity.Person person) {
        return person.name().equals(Person.OPERATOR) ? LOCAL_USER : person.name();
    }
}
