package dev.postern.gate.policy;

import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The quotas that concern one call. */
public record Limits(List<Quota> quotas) {
    public static final Limits NONE = new Limits(List.of());

    public Limits {
        quotas = List.copyOf(quotas);
    }

    /** The fewest requests for approval the agent may have open, if any quota says. */
    public OptionalInt pendingApprovals() {
        return least(Quota::pendingApprovals);
    }

    /** The fewest characters an answer may have, if any quota says. */
    public OptionalInt resultCharacters() {
        return least(Quota::resultCharacters);
    }

    /** The shortest time a server may take, if any quota says. */
    public OptionalInt callSeconds() {
        return least(Quota::callSeconds);
    }

    private OptionalInt least(Function<Quota, @Nullable Integer> limit) {
        return quotas.stream()
                .map(limit)
                .filter(Objects::nonNull)
                .mapToInt(Integer::intValue)
                .min();
    }
}
