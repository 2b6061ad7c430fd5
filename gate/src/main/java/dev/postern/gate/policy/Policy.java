package dev.postern.gate.policy;

import dev.postern.gate.call.ToolName;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One revision of the rules, replaced whole.
 *
 * @param readable false where the stored document cannot be understood: then everything is denied (P11)
 * @param servers rules by server name
 * @param tools rules by {@code server__tool}
 */
public record Policy(
        long revision,
        boolean readable,
        SecretBearingCalls secretBearingCalls,
        boolean secretReferencesEnabled,
        boolean resultScrubbingEnabled,
        Map<String, Rule> servers,
        Map<String, Rule> tools) {

    /** Whether calls that bear secrets may be asked for at all. There is no ALLOW (P3). */
    public enum SecretBearingCalls {
        ASK,
        DENY
    }

    /** What a tool or server may do without a reference in the call. */
    public enum Rule {
        ALLOW,
        ASK,
        DENY
    }

    /** What is in force where nothing was ever applied. */
    public static final Policy DEFAULT = new Policy(0, true, SecretBearingCalls.ASK, true, true, Map.of(), Map.of());

    /** Stands for a document that cannot be understood: denies everything, scrubs everything. */
    static Policy unreadable(long revision) {
        return new Policy(revision, false, SecretBearingCalls.DENY, false, true, Map.of(), Map.of());
    }

    /** P10: a DENY on either level denies; then the tool's rule, then the server's, then ALLOW. */
    public Rule ruleFor(ToolName name) {
        @Nullable Rule tool = tools.get(name.toString());
        @Nullable Rule server = servers.get(name.server());
        if (tool == Rule.DENY || server == Rule.DENY) {
            return Rule.DENY;
        }
        return tool != null ? tool : server != null ? server : Rule.ALLOW;
    }
}
