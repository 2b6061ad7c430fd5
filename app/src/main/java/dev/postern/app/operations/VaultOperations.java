package dev.postern.app.operations;

import dev.postern.app.control.Operation;
import dev.postern.store.sql.VaultKeys;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code vault.*}: the keys behind the secrets (V2). */
public final class VaultOperations {
    private final VaultKeys keys;
    private final String operator;

    /**
     * Acts in one person's name.
     *
     * @param operator who rotates, for the record of acts
     */
    public VaultOperations(VaultKeys keys, String operator) {
        this.keys = keys;
        this.operator = operator;
    }

    /** Adds {@code vault.rotate-key} and {@code vault.check}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("vault.rotate-key", (request, peer) -> Map.of("rewrapped", keys.rotate(operator)));
        operations.put("vault.check", (request, peer) -> {
            VaultKeys.Check check = keys.check();
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("opened", check.opened());
            document.put("broken", check.broken());
            return document;
        });
    }
}
