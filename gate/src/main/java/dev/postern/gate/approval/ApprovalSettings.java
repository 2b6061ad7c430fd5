package dev.postern.gate.approval;

import java.time.Duration;

/**
 * How long and how many.
 *
 * @param timeout how long a request waits for a person, and how long a decision waits for the agent (P7)
 * @param heartbeat how often a waiting client is told that its call still waits
 * @param maxPendingPerAgent more requests than these are refused with {@code QUEUE_FULL}
 * @param portal where a person decides; named in {@code APPROVAL_PENDING}
 */
public record ApprovalSettings(Duration timeout, Duration heartbeat, int maxPendingPerAgent, String portal) {
    public static ApprovalSettings defaults(String portal) {
        return new ApprovalSettings(Duration.ofSeconds(300), Duration.ofSeconds(5), 10_000, portal);
    }
}
