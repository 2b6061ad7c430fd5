package dev.postern.web.portal;

import dev.postern.gate.agent.Right;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.gate.vault.VaultWriter.NewSecret;
import dev.postern.secret.SecretValue;
import dev.postern.web.http.Access;
import dev.postern.web.http.Identity;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.http.Route;
import dev.postern.web.portal.imports.ImportException;
import dev.postern.web.portal.imports.ImportedSecret;
import dev.postern.web.portal.imports.PendingImports;
import dev.postern.web.portal.imports.SecretFile;
import dev.postern.web.portal.imports.SecretNames;
import dev.postern.web.portal.view.Flash;
import dev.postern.web.portal.view.ImportPage;
import dev.postern.web.portal.view.Page;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes secrets over from a file: upload, a preview that masks every value, and what the person picks of it. */
final class ImportPages {
    private static final int MAX_FILE_BYTES = 4 * 1024 * 1024;

    private final Pages pages;
    private final Vault vault;
    private final Function<String, VaultWriter> writers;
    private final PendingImports pending;

    ImportPages(Pages pages, Vault vault, Function<String, VaultWriter> writers, PendingImports pending) {
        this.pages = pages;
        this.vault = vault;
        this.writers = writers;
        this.pending = pending;
    }

    List<Route> routes() {
        Access write = Access.needs(Right.WRITE_OWN_SECRETS);
        return List.of(
                Route.page("GET", "/vault/import", write, request -> upload(request, 200, "")),
                Route.page("POST", "/vault/import", write, this::preview).withMaxBodyBytes(MAX_FILE_BYTES),
                Route.page("POST", "/vault/import/keep", write, this::keep));
    }

    private Reply upload(Request request, int status, String wrong) {
        return pages.show(
                request, status, Page.VAULT.title(), "Import secrets", "import", new ImportPage(wrong, List.of()));
    }

    private Reply preview(Request request) {
        List<ImportedSecret> secrets;
        try (SecretValue file = SecretFields.value(request, "file")) {
            secrets = SecretFile.read(file);
        } catch (ImportException e) {
            return upload(request, 422, e.what());
        }
        if (secrets.isEmpty()) {
            return upload(
                    request, 422, "The file holds no secret. Choose a .env file or a password manager's CSV export.");
        }
        ImportPage page = new ImportPage("", rows(secrets));
        pending.put(request.person().session(), secrets);
        return pages.show(request, Page.VAULT, "What the file holds", "import-preview", page);
    }

    private List<ImportPage.Row> rows(List<ImportedSecret> secrets) {
        Set<String> taken =
                vault.list().stream().map(SecretRecord::name).collect(Collectors.toCollection(HashSet::new));
        List<ImportPage.Row> rows = new ArrayList<>();
        for (int i = 0; i < secrets.size(); i++) {
            ImportedSecret secret = secrets.get(i);
            String wanted = SecretNames.of(secret.title(), Set.of());
            String name = SecretNames.of(secret.title(), taken);
            taken.add(name);
            boolean isTooLarge = secret.value().length() > VaultWriter.MAX_VALUE_BYTES;
            rows.add(new ImportPage.Row(
                    i,
                    secret.title(),
                    name,
                    orEmpty(secret.website()),
                    orEmpty(secret.username()),
                    secret.notes() != null,
                    secret.tags(),
                    secret.isLikely() && !isTooLarge,
                    remark(secret, !name.equals(wanted), isTooLarge)));
        }
        return rows;
    }

    private static String remark(ImportedSecret secret, boolean isTaken, boolean isTooLarge) {
        if (isTooLarge) {
            return "larger than the 8 KB a secret may have";
        }
        if (secret.value().length() < VaultPages.SHORT_BYTES) {
            return "shorter than 8 characters: cannot be scrubbed well";
        }
        if (isTaken) {
            return "the name was taken, so it got a number";
        }
        return secret.isLikely() ? "" : "looks like a setting rather than a secret";
    }

    private Reply keep(Request request) {
        Identity.Person person = request.person();
        List<ImportedSecret> secrets = pending.take(person.session());
        if (secrets.isEmpty()) {
            return Flashes.redirect(
                    request,
                    "/vault/import",
                    Flash.warn("The preview is gone: it is kept for ten minutes, once. Choose the file again."));
        }
        List<Flash> said = new ArrayList<>();
        int kept = 0;
        VaultWriter writer = writers.apply(person.name());
        for (int i = 0; i < secrets.size(); i++) {
            try (ImportedSecret secret = secrets.get(i)) {
                if (request.form().has("keep-" + i)) {
                    String name = SecretFields.text(request, "name-" + i);
                    String wrong = add(writer, secret, name, person.name());
                    if (wrong.isEmpty()) {
                        kept++;
                    } else {
                        said.add(Flash.bad((name.isEmpty() ? "Number " + (i + 1) : name) + " was not added: " + wrong));
                    }
                }
            }
        }
        said.addFirst(
                kept == 0
                        ? Flash.warn("Nothing was added to the vault.")
                        : Flash.good((kept == 1 ? "One secret was" : kept + " secrets were")
                                + " added to the vault. Delete the file now: it holds them in the clear."));
        return Flashes.redirect(request, "/vault", said);
    }

    private static String add(VaultWriter writer, ImportedSecret secret, String name, String owner) {
        SecretValue notes = secret.notes();
        try {
            writer.add(new NewSecret(
                    name,
                    secret.value(),
                    notes == null || notes.length() > VaultWriter.MAX_VALUE_BYTES ? null : notes,
                    secret.website(),
                    secret.username(),
                    null,
                    secret.tags(),
                    DestinationRules.ANYWHERE,
                    owner));
            return "";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
