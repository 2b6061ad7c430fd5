package dev.postern.gate.approval;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One question to a person, and its answer (P5, P8).
 *
 * @param fingerprint the digest without the nonce: equal for the same call sent again
 * @param digest what is approved: SHA-256 in hex over call, caller, server, definition, secrets, policy revision and nonce
 * @param arguments the whole arguments as the agent wrote them, references intact
 * @param riskReasons what makes the risk, the gravest first
 * @param definitionHash the tool definition the agent called, or empty
 */
public record Approval(
        String id,
        String fingerprint,
        String digest,
        String nonce,
        String agent,
        String agentName,
        String user,
        String server,
        String tool,
        byte[] arguments,
        List<SecretUse> secrets,
        String destination,
        Risk risk,
        List<RiskReason> riskReasons,
        String definitionHash,
        long policyRevision,
        Instant created,
        Instant expires,
        State state,
        @Nullable String decidedBy,
        @Nullable String note,
        @Nullable Instant decidedAt) {
    public Approval {
        secrets = List.copyOf(secrets);
        riskReasons = List.copyOf(riskReasons);
    }

    /** Where an approval stands. {@code USED}: granted, and its one call ran. */
    public enum State {
        PENDING,
        GRANTED,
        DENIED,
        EXPIRED,
        CANCELLED,
        USED
    }

    /** A secret-bearing call is at least HIGH (P8). */
    public enum Risk {
        HIGH,
        CRITICAL
    }

    /** One secret field the call would deliver: {@code name — website (username) — field}. */
    public record SecretUse(
            UUID id,
            String name,
            @Nullable String website,
            @Nullable String username,
            String field,
            long version) {}

    /** The same request, decided. */
    public Approval decided(State to, @Nullable String by, @Nullable String with, @Nullable Instant at) {
        return new Approval(
                id,
                fingerprint,
                digest,
                nonce,
                agent,
                agentName,
                user,
                server,
                tool,
                arguments,
                secrets,
                destination,
                risk,
                riskReasons,
                definitionHash,
                policyRevision,
                created,
                expires,
                to,
                by,
                with,
                at);
    }

    @Override
    public String toString() {
        return "Approval[" + id + " " + state + "]";
    }
}
