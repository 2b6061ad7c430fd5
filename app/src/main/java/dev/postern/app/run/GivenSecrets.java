package dev.postern.app.run;

import static java.util.Objects.requireNonNull;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.app.operations.CommandUse;
import dev.postern.gate.vault.SecretRecord;
import dev.postern.gate.vault.SecretUse;
import dev.postern.gate.vault.Vault;
import dev.postern.gate.vault.VaultException;
import dev.postern.reference.Filters;
import dev.postern.reference.Reference;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.TextReferences;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a command is given: the value of each variable, and what has to be looked for in its output. All or nothing (R6).
 * Holds values until it is closed.
 */
final class GivenSecrets implements AutoCloseable {
    private static final String UNRESOLVED = "SECRET_UNRESOLVED";
    private static final String FORBIDDEN = "SECRET_FORBIDDEN";

    private final Map<String, SecretValue> variables = new LinkedHashMap<>();
    private final List<LiveSecret> live = new ArrayList<>();
    private final Map<Reference, SecretValue> resolved = new LinkedHashMap<>();
    private final Set<String> ledgerNames = new LinkedHashSet<>();

    private GivenSecrets() {}

    /** Nothing, for a command without references; variables keep their texts. */
    static GivenSecrets none(List<Variable> variables) {
        GivenSecrets given = new GivenSecrets();
        variables.forEach(given::put);
        return given;
    }

    /**
     * Opens every secret the variables name.
     *
     * @throws ControlException with exit code 3 if one cannot be resolved or may not go to a command; names the place and the
     *     remedy
     */
    static GivenSecrets resolve(List<Variable> variables, Vault vault) {
        GivenSecrets given = new GivenSecrets();
        try {
            for (Variable variable : variables) {
                for (Reference reference : variable.references()) {
                    if (!given.resolved.containsKey(reference)) {
                        given.resolved.put(reference, given.open(variable.place(), reference, vault));
                    }
                }
                given.put(variable);
            }
            return given;
        } catch (RuntimeException e) {
            given.close();
            throw e;
        }
    }

    private void put(Variable variable) {
        SecretValue value =
                TextReferences.substitute(variable.text(), reference -> requireNonNull(resolved.get(reference)));
        SecretValue before = variables.put(variable.name(), value);
        if (before != null) {
            before.close();
        }
    }

    private SecretValue open(String place, Reference reference, Vault vault) {
        try {
            SecretRecord secret = vault.find(reference)
                    .orElseThrow(() -> refused(
                            UNRESOLVED,
                            place + ": there is no secret for " + reference.canonical()
                                    + "; add it with 'postern secret add', or see 'postern secret list'"));
            check(place, reference, secret);
            ledgerNames.add(new SecretUse(reference, secret).ledgerName());
            SecretValue value = vault.open(secret, reference.field());
            live.add(LiveSecret.of(reference, value));
            try (SecretValue username = username(secret)) {
                SecretValue filtered = Filters.apply(reference.filters(), value, username);
                if (!reference.filters().isEmpty()) {
                    live.add(LiveSecret.of(reference, filtered));
                }
                return filtered;
            }
        } catch (VaultException e) {
            throw refused(
                    UNRESOLVED,
                    place + ": the vault cannot open " + reference.canonical() + "; run 'postern vault check'");
        } catch (ReferenceException e) {
            throw refused(UNRESOLVED, place + ": " + e.reason());
        }
    }

    private static void check(String place, Reference reference, SecretRecord secret) {
        if (secret.tags().contains(SecretRecord.AI_PROVIDER)) {
            throw refused(
                    FORBIDDEN, place + ": " + reference.canonical() + " is tagged ai-provider and is never delivered");
        }
        // Where a command connects to cannot be known.
        if (!secret.destinations().allowsHostless(CommandUse.TOOL)) {
            throw refused(
                    FORBIDDEN,
                    place + ": the destination rules of " + reference.canonical() + " do not allow a command ("
                            + CommandUse.TOOL + ")");
        }
        if (!secret.fields().contains(reference.field())) {
            throw refused(UNRESOLVED, place + ": the field of " + reference.canonical() + " is empty");
        }
    }

    private static @Nullable SecretValue username(SecretRecord secret) {
        String username = secret.username();
        return username == null ? null : new SecretValue(username.getBytes(StandardCharsets.UTF_8));
    }

    private static ControlException refused(String code, String what) {
        return new ControlException(ExitCode.REFUSED, code, what + ". Nothing was started.");
    }

    /** The value of each variable, by name; still owned here. */
    Map<String, SecretValue> variables() {
        return variables;
    }

    /** What to look for in what comes back; the values are still owned here. */
    List<LiveSecret> live() {
        return live;
    }

    /** {@code <id>.<field>} of each (L1). */
    List<String> ledgerNames() {
        return List.copyOf(ledgerNames);
    }

    /** The references that were resolved, without filters. */
    List<String> references() {
        return resolved.keySet().stream()
                .map(reference -> reference.withoutFilters().canonical())
                .distinct()
                .toList();
    }

    /** Wipes all values. */
    @Override
    public void close() {
        variables.values().forEach(SecretValue::close);
        live.forEach(secret -> secret.value().close());
        resolved.values().forEach(SecretValue::close);
    }

    @Override
    public String toString() {
        return "GivenSecrets" + variables.keySet();
    }
}
