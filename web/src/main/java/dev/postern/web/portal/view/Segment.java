package dev.postern.web.portal.view;

/**
 * A piece of a text as a page shows it; the pieces of one text, joined, are that text again, but for those that cannot be
 * shown.
 *
 * @param text what is shown
 * @param meaning what a person should know about it; empty for plain text
 */
public record Segment(Kind kind, String text, String meaning) {
    /** How a piece is shown. */
    public enum Kind {
        PLAIN,
        /** A reference to a secret. */
        REFERENCE,
        /** A character without a look of its own, shown by its code point. */
        INVISIBLE,
        /** A word that looks like another one. */
        LOOKALIKE;

        /** The style's class. */
        public String style() {
            return switch (this) {
                case PLAIN -> "plain";
                case REFERENCE -> "reference";
                case INVISIBLE -> "invisible";
                case LOOKALIKE -> "lookalike";
            };
        }
    }

    static Segment plain(String text) {
        return new Segment(Kind.PLAIN, text, "");
    }

    public boolean isPlain() {
        return kind == Kind.PLAIN;
    }
}
