package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.gate.vault.VaultWriter.NewSecret;
import dev.postern.reference.Field;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.ProblemException;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.Moment;
import dev.postern.web.portal.view.Page;
import dev.postern.web.portal.view.SecretForm;
import dev.postern.web.portal.view.SecretPage;
import dev.postern.web.portal.view.VaultPage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The vault: adding and rotating, rules and tags; values go in and never come out (V1, V3). */
final class VaultPages {
    /** Shorter values cannot be scrubbed well (V4). */
    static final int SHORT_BYTES = 8;

    private final Pages pages;
    private final Vault vault;
    private final Function<String, VaultWriter> writers;
    private final GrantPages grants;
    private final InstantSource clock;

    /**
     * The pages.
     *
     * @param writers writes in a person's name
     */
    VaultPages(
            Pages pages, Vault vault, Function<String, VaultWriter> writers, GrantPages grants, InstantSource clock) {
        this.pages = pages;
        this.vault = vault;
        this.writers = writers;
        this.grants = grants;
        this.clock = clock;
    }

    List<Route> routes() {
        Access list = Access.needs(Right.LIST_SECRETS);
        Access write = Access.needs(Right.WRITE_OWN_SECRETS);
        return List.of(
                Route.page("GET", "/vault", list, this::list),
                Route.page("GET", "/vault/new", write, request -> form(request, 200, SecretForm.EMPTY)),
                Route.page("POST", "/vault/new", write, this::add),
                Route.page("GET", "/vault/secrets/{name}", list, request -> secret(request, 200, "")),
                Route.page("POST", "/vault/secrets/{name}/edit", write, this::edit),
                Route.page("POST", "/vault/secrets/{name}/rotate", write, this::rotate),
                Route.page("POST", "/vault/secrets/{name}/remove", write, this::remove));
    }

    private Reply list(Request request) {
        String query = request.query("q") == null
                ? ""
                : String.valueOf(request.query("q")).strip();
        int offset = (int) request.queryNumber("from", 0, 0, Integer.MAX_VALUE);
        List<SecretRecord> found =
                vault.list().stream().filter(secret -> matches(secret, query)).toList();
        Instant now = clock.instant();
        VaultPage page = new VaultPage(
                query,
                found.stream()
                        .skip(offset)
                        .limit(VaultPage.SHOWN)
                        .map(secret -> row(secret, request, now))
                        .toList(),
                offset,
                found.size(),
                request.may(Right.WRITE_OWN_SECRETS));
        return pages.show(request, Page.VAULT, "vault", page);
    }

    private Reply form(Request request, int status, SecretForm form) {
        return pages.show(request, status, Page.VAULT.title(), "Add a secret", "secret-new", form);
    }

    private Reply add(Request request) {
        Identity.Person person = request.person();
        String name = SecretFields.text(request, "name");
        try (SecretValue value = SecretFields.value(request, "value");
                SecretValue notes = SecretFields.value(request, "notes")) {
            writers.apply(person.name())
                    .add(new NewSecret(
                            name,
                            value,
                            notes.length() == 0 ? null : notes,
                            emptyAsNull(SecretFields.website(request)),
                            SecretFields.optional(request, "username"),
                            SecretFields.optional(request, "description"),
                            SecretFields.list(request, "tags"),
                            SecretFields.destinations(request),
                            person.name()));
            return Flashes.redirect(request, "/vault/secrets/" + name, saved(name + " is in the vault.", value));
        } catch (IllegalArgumentException e) {
            return form(request, 422, SecretFields.again(request, what(e)));
        }
    }

    private Reply secret(Request request, int status, String wrong) {
        SecretRecord secret = find(request);
        VaultPage.Row row = row(secret, request, clock.instant());
        return pages.show(
                request,
                status,
                Page.VAULT.title(),
                secret.name(),
                "secret",
                new SecretPage(row, wrong, "{{vault:" + secret.name() + "}}", grants.of(secret.id())));
    }

    private Reply rotate(Request request) {
        SecretRecord secret = mine(request);
        try (SecretValue value = SecretFields.value(request, "value")) {
            SecretRecord rotated = writers.apply(request.person().name())
                    .rotate(secret.name(), value, SecretFields.optional(request, "description"));
            return Flashes.redirect(
                    request,
                    "/vault/secrets/" + secret.name(),
                    saved(
                            secret.name() + " has a new value, version " + rotated.version()
                                    + ". Calls that wait with the old one are refused.",
                            value));
        } catch (IllegalArgumentException e) {
            return secret(request, 422, what(e));
        }
    }

    /** Everything but the value; what was approved for the secret as it was does not hold for it as it is now (P6). */
    private Reply edit(Request request) {
        SecretRecord secret = mine(request);
        if (!Long.toString(secret.version()).equals(request.field("version"))) {
            return secret(request, 409, "Somebody changed it meanwhile; this is how it is now.");
        }
        try (SecretValue notes = SecretFields.value(request, "notes")) {
            SecretRecord changed = writers.apply(request.person().name())
                    .change(
                            secret.name(),
                            new VaultWriter.Change(
                                    null,
                                    notes.length() == 0 ? null : notes,
                                    SecretFields.website(request),
                                    SecretFields.text(request, "username"),
                                    SecretFields.text(request, "description"),
                                    SecretFields.list(request, "tags"),
                                    SecretFields.destinations(request)));
            return Flashes.redirect(
                    request,
                    "/vault/secrets/" + secret.name(),
                    Flash.good(secret.name() + " is changed, version " + changed.version()
                            + ". Calls that wait with the old one are refused."));
        } catch (IllegalArgumentException e) {
            return secret(request, 422, what(e));
        }
    }

    private Reply remove(Request request) {
        SecretRecord secret = mine(request);
        if (!secret.name().equals(SecretFields.text(request, "confirm"))) {
            return secret(request, 422, "Type the secret's name to remove it.");
        }
        writers.apply(request.person().name()).remove(secret.name());
        return Flashes.redirect(
                request,
                "/vault",
                Flash.warn(secret.name() + " is removed. Its value is scrubbed from answers a few minutes longer."));
    }

    private SecretRecord find(Request request) {
        String name = request.pathValue("name");
        return vault.list().stream()
                .filter(secret -> secret.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "There is no secret of that name."));
    }

    private SecretRecord mine(Request request) {
        SecretRecord secret = find(request);
        if (!mayWrite(secret, request)) {
            throw new ProblemException(
                    403, "FORBIDDEN", "This secret is somebody else's; ask them or an administrator.");
        }
        return secret;
    }

    private static boolean mayWrite(SecretRecord secret, Request request) {
        return request.may(Right.WRITE_ALL_SECRETS)
                || (request.may(Right.WRITE_OWN_SECRETS)
                        && secret.owner().equals(request.person().name()));
    }

    private static Flash saved(String what, SecretValue value) {
        return value.length() < SHORT_BYTES
                ? Flash.warn(what + " It is shorter than 8 characters, so it cannot be scrubbed well.")
                : Flash.good(what);
    }

    private static boolean matches(SecretRecord secret, String query) {
        String wanted = query.toLowerCase(Locale.ROOT);
        return Stream.concat(
                        Stream.of(
                                secret.name(),
                                text(secret.website()),
                                text(secret.username()),
                                text(secret.description())),
                        secret.tags().stream())
                .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(wanted));
    }

    private static VaultPage.Row row(SecretRecord secret, Request request, Instant now) {
        return new VaultPage.Row(
                secret.name(),
                text(secret.website()),
                text(secret.username()),
                text(secret.description()),
                secret.fields().stream().map(Field::label).sorted().toList(),
                secret.tags(),
                secret.destinations().servers(),
                secret.destinations().tools(),
                secret.destinations().hosts(),
                secret.version(),
                secret.owner(),
                new Moment(secret.created(), now),
                new Moment(secret.updated(), now),
                mayWrite(secret, request));
    }

    /** Our own messages about what was typed; they name the place and never the value. */
    private static String what(IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
    }

    private static @Nullable String emptyAsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
