package dev.postern.detect;

/** A rule file that cannot be used. Names the rule and the mistake; the text of allow lists is never quoted. */
public final class RuleFileException extends RuntimeException {
    RuleFileException(String message) {
        super(message);
    }

    RuleFileException(String rule, RuleFileException cause) {
        super("rule " + rule + ": " + cause.getMessage(), cause);
    }
}
