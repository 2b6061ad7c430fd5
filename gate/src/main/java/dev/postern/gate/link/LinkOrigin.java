package dev.postern.gate.link;

import dev.postern.gate.call.CallId;
import org.jspecify.annotations.Nullable;

/**
 * Where a link comes from, for the ledger and the memory of recent values.
 *
 * @param call the call or the person's act that made it; names the link in the ledger
 * @param agent the name of the agent that asked for it; empty where a person made it
 * @param user whose memory of recent values the value joins when the link is redeemed (S9)
 * @param approver who let it be made
 * @param placeholder what stands in a result where the value stood; a reference where the value is a secret's
 * @param secretRef {@code <id>.<field>}; null for a value that is in no vault
 */
public record LinkOrigin(
        CallId call,
        String agent,
        String user,
        String approver,
        String placeholder,
        @Nullable String secretRef) {
    /** Whose link it is that a person made. */
    public static final String NO_AGENT = "";

    /** Stands in results for a value that is in no vault. */
    public static final String UNNAMED = "[REDACTED:one-time-link]";
}
