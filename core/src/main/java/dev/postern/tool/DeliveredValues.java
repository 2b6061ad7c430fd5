package dev.postern.tool;

import dev.postern.reference.Field;
import dev.postern.reference.Filter;
import dev.postern.reference.Filters;
import dev.postern.reference.Reference;
import dev.postern.scrub.LiveSecret;
import dev.postern.secret.SecretValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values one call delivers, opened once each and wiped when the call ends. */
final class DeliveredValues implements AutoCloseable {
    private final SecretSource secrets;
    private final String tool;
    private final List<LiveSecret> live = new ArrayList<>();
    private final Map<Reference, SecretValue> placed = new HashMap<>();

    DeliveredValues(SecretSource secrets, String tool) {
        this.secrets = secrets;
        this.tool = tool;
    }

    /** What is placed for a reference, its filters applied. */
    SecretValue valueOf(Reference reference) {
        SecretValue value = placed.get(reference);
        return value == null ? open(reference) : value;
    }

    /** What must not be seen in the answer: the values, and what filters made of them. */
    List<LiveSecret> live() {
        return live;
    }

    private SecretValue open(Reference reference) {
        SecretValue value = resolve(reference.withoutFilters());
        live.add(LiveSecret.of(reference, value));
        SecretValue ready = value;
        if (!reference.filters().isEmpty()) {
            try (SecretValue username = username(reference)) {
                ready = Filters.apply(reference.filters(), value, username);
            }
            live.add(LiveSecret.of(reference, ready));
        }
        placed.put(reference, ready);
        return ready;
    }

    private @Nullable SecretValue username(Reference reference) {
        return reference.filters().contains(Filter.BASIC)
                ? resolve(new Reference(reference.kind(), reference.name(), Field.USERNAME, List.of()))
                : null;
    }

    private SecretValue resolve(Reference reference) {
        SecretValue value;
        try {
            value = secrets.resolve(tool, reference);
        } catch (RuntimeException e) {
            throw ToolRefusedException.unresolved("the place where secrets are kept failed. Nothing was run.", e);
        }
        if (value == null) {
            throw ToolRefusedException.unresolved(
                    reference + " names no secret that this tool may have. Nothing was run; check the name.", null);
        }
        return value;
    }

    @Override
    public void close() {
        live.forEach(secret -> secret.value().close());
    }
}
