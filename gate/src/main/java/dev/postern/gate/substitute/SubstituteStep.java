package dev.postern.gate.substitute;

import static java.util.Objects.requireNonNull;

import dev.postern.gate.approval.Confirmed;
import dev.postern.gate.call.RefusedException;
import dev.postern.gate.call.ToolCall;
import dev.postern.gate.call.ToolDefinition;
import dev.postern.gate.vault.ResolveStep;
import dev.postern.gate.vault.Resolved;
import dev.postern.gate.vault.SecretUse;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.gate.vault.Vaults;
import dev.postern.reference.Filters;
import dev.postern.reference.Reference;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.Substitution;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Step 10: one rewrite of the argument tree (R2, R9, R11). */
public final class SubstituteStep {
    private final Vaults vaults;

    public SubstituteStep(Vaults vaults) {
        this.vaults = vaults;
    }

    /**
     * Opens the values and puts them in place.
     *
     * @throws RefusedException if a value can no longer be opened or does not fit where it should stand
     */
    public Armed arm(Confirmed confirmed) {
        Resolved resolved = confirmed.resolved();
        if (!resolved.bearsSecrets()) {
            return new Armed(confirmed, confirmed.call().arguments().bytes(), List.of(), Map.of());
        }
        Opened opened = open(resolved);
        try {
            return new Armed(confirmed, opened.substitute(), opened.live, opened.placed);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Step 7's rehearsal: what could not be substituted is refused before a person is asked (P1). Every value is wiped
     * again before this returns.
     */
    public void rehearse(Resolved resolved) {
        if (!resolved.bearsSecrets()) {
            return;
        }
        Opened opened = open(resolved);
        try {
            Arrays.fill(opened.substitute(), (byte) 0);
        } finally {
            opened.close();
        }
    }

    private Opened open(Resolved resolved) {
        Opened opened = new Opened(resolved);
        Vault vault = vaults.of(resolved.call().caller());
        try {
            for (SecretUse use : resolved.uses()) {
                opened.add(use, vault.open(use.secret(), use.reference().field()));
            }
            return opened;
        } catch (VaultException e) {
            opened.close();
            throw new RefusedException(ResolveStep.unavailable());
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** The values of one call, and the same values as they are placed. */
    private static final class Opened {
        private final Resolved resolved;
        private final List<LiveSecret> live = new ArrayList<>();
        private final Map<Reference, SecretValue> placed = new LinkedHashMap<>();

        Opened(Resolved resolved) {
            this.resolved = resolved;
        }

        /** What a filter made of a value must not be seen either, so it is live as well. */
        void add(SecretUse use, SecretValue value) {
            Reference reference = use.reference();
            live.add(new LiveSecret(reference.placeholder(), value));
            if (reference.filters().isEmpty()) {
                placed.put(reference, value);
                return;
            }
            try (SecretValue username = username(use)) {
                SecretValue filtered = Filters.apply(reference.filters(), value, username);
                live.add(new LiveSecret(reference.placeholder(), filtered));
                placed.put(reference, filtered);
            } catch (ReferenceException e) {
                throw new RefusedException(ReferenceStep.refusal(e));
            }
        }

        byte[] substitute() {
            ToolCall call = resolved.call();
            ToolDefinition definition = call.definition();
            try {
                return Substitution.substitute(
                        call.arguments(),
                        resolved.judged().referenced().placements(),
                        reference -> requireNonNull(placed.get(reference)),
                        definition == null ? null : definition.inputSchema());
            } catch (ReferenceException e) {
                throw new RefusedException(ReferenceStep.refusal(e));
            }
        }

        void close() {
            live.forEach(secret -> secret.value().close());
        }

        private static @Nullable SecretValue username(SecretUse use) {
            String username = use.secret().username();
            return username == null ? null : new SecretValue(username.getBytes(StandardCharsets.UTF_8));
        }
    }
}
