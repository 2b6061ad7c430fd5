package dev.postern.detect;

import java.util.List;

/**
 * One kind of credential.
 *
 * @param keywords what makes the scan stop and try {@code verifier}; ASCII, lower case
 * @param generic knows a value by its name alone, so gives way to a rule that knows the value's own form
 */
record Rule(
        String name,
        String category,
        String classification,
        List<String> keywords,
        boolean generic,
        Verifier verifier,
        ValueChecks checks) {
    Rule {
        keywords = List.copyOf(keywords);
    }

    /** Decides whether the rule matches at a keyword. Immutable. */
    interface Verifier {
        /**
         * Whether the rule matches where a keyword stands at {@code [keywordStart, keywordEnd)}. If so, the masked part
         * is in {@link Match#secretStart} and {@link Match#secretEnd}.
         */
        boolean verify(Match match, int keywordStart, int keywordEnd);

        /** The same for a JSON member: the keyword stands in its name, the value is a whole string. */
        default boolean verifyMember(
                Match name, int keywordStart, int keywordEnd, Match value, int valueStart, int valueEnd) {
            return false;
        }
    }
}
