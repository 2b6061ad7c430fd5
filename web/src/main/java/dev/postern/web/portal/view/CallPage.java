package dev.postern.web.portal.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call, whole, with what it went through.
 *
 * @param secrets as {@code name, field}; the id where the secret is gone
 * @param policyRevision null where it was refused before any policy was read
 * @param approval the request a person decided; null where nobody was asked
 * @param error scrubbed text; empty where there was none
 */
public record CallPage(
        LedgerPage.Row row,
        CallArguments arguments,
        List<String> secrets,
        String code,
        List<Segment> error,
        long resultBytes,
        String hash,
        long position,
        @Nullable Long policyRevision,
        @Nullable String approval,
        List<Stage> stages,
        String line) {
    public CallPage {
        secrets = List.copyOf(secrets);
        error = List.copyOf(error);
        stages = List.copyOf(stages);
    }

    /**
     * A stage that was done.
     *
     * @param after since the call came in, such as {@code 1.2 ms}
     */
    public record Stage(String name, String meaning, String after) {}
}
