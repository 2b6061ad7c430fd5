package dev.postern.gate.detect;

import dev.postern.gate.agent.Caller;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.gate.vault.Vaults;
import dev.postern.reference.Field;
import dev.postern.reference.Reference;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The vault as one agent sees it: its secrets, and what was captured on the way to this agent (D6). */
final class CapturedVault implements Vault {
    private final Vault vault;
    private final CapturedValues captured;
    private final Caller caller;

    private CapturedVault(Vault vault, CapturedValues captured, Caller caller) {
        this.vault = vault;
        this.captured = captured;
        this.caller = caller;
    }

    static Vaults over(Vault vault, CapturedValues captured) {
        return caller -> new CapturedVault(vault, captured, caller);
    }

    @Override
    public Optional<SecretRecord> find(Reference reference) {
        Optional<SecretRecord> kept = captured.find(caller, reference);
        return kept.isPresent() ? kept : vault.find(reference);
    }

    @Override
    public List<SecretRecord> list() {
        List<SecretRecord> all = new ArrayList<>(vault.list());
        all.addAll(captured.list(caller));
        return all;
    }

    @Override
    public SecretValue open(SecretRecord secret, Field field) {
        if (!CapturedValues.isReserved(secret.name())) {
            return vault.open(secret, field);
        }
        return captured.open(caller, secret)
                .orElseThrow(() -> new VaultException("the captured value is no longer kept"));
    }
}
