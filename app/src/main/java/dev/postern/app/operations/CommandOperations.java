package dev.postern.app.operations;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.control.Operation;
import dev.postern.gate.ledger.Ledger;
import dev.postern.gate.ledger.LedgerUnavailableException;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.reference.Reference;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * {@code run.*}: the ledger's part of a command that runs elsewhere with secrets (L1, L3). The gateway is told which, opens
 * them itself, and remembers them as delivered (S9); nothing it answers holds one.
 */
public final class CommandOperations {
    private final Ledger ledger;
    private final Vault vault;
    private final Consumer<LiveSecret> remember;

    /**
     * Writes to a ledger.
     *
     * @param remember puts a value into the memory of recent ones; it stays the caller's
     */
    public CommandOperations(Ledger ledger, Vault vault, Consumer<LiveSecret> remember) {
        this.ledger = ledger;
        this.vault = vault;
        this.remember = remember;
    }

    /** Adds {@code run.intend} and {@code run.close}. */
    public void addTo(Map<String, Operation> operations) {
        operations.put("run.intend", (request, peer) -> {
            CommandUse use = CommandUse.read(request);
            written(() -> ledger.intend(use.intent()));
            rememberAll(use);
            return Map.of("id", use.id().value());
        });
        operations.put("run.close", (request, peer) -> {
            CommandUse use = CommandUse.read(request);
            written(() -> ledger.append(use.entry(CommandUse.readEnd(request))));
            rememberAll(use);
            return Map.of("id", use.id().value());
        });
    }

    private static void written(Runnable write) {
        try {
            write.run();
        } catch (LedgerUnavailableException e) {
            throw new ControlException(
                    ExitCode.FAILED, "LEDGER_UNAVAILABLE", "the ledger cannot make an entry durable.");
        }
    }

    /** The window starts when the command starts, and again when it ends. */
    private void rememberAll(CommandUse use) {
        for (String spelling : use.references()) {
            Reference reference = Reference.parse(spelling);
            try {
                Optional<SecretRecord> secret = vault.find(reference);
                if (secret.isPresent()) {
                    try (SecretValue value = vault.open(secret.get(), reference.field())) {
                        remember.accept(LiveSecret.of(reference, value));
                    }
                }
            } catch (VaultException e) {
                // Removed or emptied since; then what was given is another value already.
            }
        }
    }
}
