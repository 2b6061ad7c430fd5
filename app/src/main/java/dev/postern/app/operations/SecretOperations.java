package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ControlRequest;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.vault.DestinationRules;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultWriter;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code secret.*}: writes in the operator's name; nothing reads a value (V1, V3). */
public final class SecretOperations {
    /** Shorter values are hard to tell from ordinary text (V4). */
    private static final int SHORT_VALUE_CHARACTERS = 8;

    private final Vault vault;
    private final VaultWriter writer;
    private final String owner;

    /**
     * Writes in one person's name.
     *
     * @param owner who the secrets belong to: on one node, the local user
     */
    public SecretOperations(Vault vault, VaultWriter writer, String owner) {
        this.vault = vault;
        this.writer = writer;
        this.owner = owner;
    }

    /** Adds {@code secret.add}, {@code .list}, {@code .rotate} and {@code .remove}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("secret.add", (request, peer) -> add(request));
        operations.put(
                "secret.list",
                (request, peer) ->
                        vault.list().stream().map(SecretOperations::document).toList());
        operations.put("secret.rotate", (request, peer) -> {
            SecretRecord rotated =
                    writer.rotate(request.text("name"), request.requiredValue(), request.optionalText("description"));
            return written(rotated, request.requiredValue());
        });
        operations.put("secret.remove", (request, peer) -> {
            String name = request.text("name");
            if (!writer.remove(name)) {
                throw new ControlException(ExitCode.FAILED, "there is no secret '" + name + "'.");
            }
            return Map.of("name", name);
        });
    }

    private Map<String, Object> add(ControlRequest request) {
        SecretValue value = request.requiredValue();
        try (SecretValue notes = notes(request.optionalText("notes"))) {
            SecretRecord added = writer.add(new VaultWriter.NewSecret(
                    request.text("name"),
                    value,
                    notes,
                    request.optionalText("website"),
                    request.optionalText("username"),
                    request.optionalText("description"),
                    request.texts("tags"),
                    new DestinationRules(request.texts("servers"), request.texts("tools"), request.texts("hosts")),
                    owner));
            return written(added, value);
        }
    }

    private static @Nullable SecretValue notes(@Nullable String notes) {
        return notes == null ? null : new SecretValue(notes.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> written(SecretRecord secret, SecretValue value) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", secret.id());
        document.put("name", secret.name());
        document.put("version", secret.version());
        if (value.length() < SHORT_VALUE_CHARACTERS) {
            document.put(
                    "warning",
                    "the value of '" + secret.name() + "' is shorter than 8 characters and cannot be scrubbed well.");
        }
        return document;
    }

    private static Map<String, Object> document(SecretRecord secret) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", secret.id());
        document.put("name", secret.name());
        document.put("website", secret.website());
        document.put("username", secret.username());
        document.put("description", secret.description());
        document.put("tags", secret.tags());
        document.put(
                "fields",
                secret.fields().stream().map(field -> field.label()).sorted().toList());
        document.put("allow", rules(secret.destinations()));
        document.put("version", secret.version());
        document.put("owner", secret.owner());
        document.put("created", secret.created());
        document.put("updated", secret.updated());
        return document;
    }

    private static Map<String, List<String>> rules(DestinationRules rules) {
        Map<String, List<String>> document = new LinkedHashMap<>();
        document.put("servers", rules.servers());
        document.put("tools", rules.tools());
        document.put("hosts", rules.hosts());
        return document;
    }
}
