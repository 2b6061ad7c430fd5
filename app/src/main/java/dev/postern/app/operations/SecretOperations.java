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
import dev.postern.web.api.Documents;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code secret.*}: writes in the operator's name; nothing reads a value (V1, V3). */
public final class SecretOperations {
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
                (request, peer) -> vault.list().stream().map(Documents::secret).toList());
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
        String warning = Documents.warning(secret, value);
        if (warning != null) {
            document.put("warning", warning);
        }
        return document;
    }
}
