package dev.postern.gate.approval;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a person decided about one secret field and one tool before.
 *
 * @param approval the request that was decided
 * @param agentName whose call it was
 * @param field the secret's field
 * @param destination where it would have gone
 * @param granted whether they said yes
 */
public record PastDecision(
        String approval,
        String agentName,
        UUID secret,
        String field,
        String destination,
        boolean granted,
        String decidedBy,
        Instant decidedAt,
        @Nullable String note) {}
