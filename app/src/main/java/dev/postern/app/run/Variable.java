package dev.postern.app.run;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import dev.postern.reference.Reference;
import dev.postern.reference.ReferenceException;
import dev.postern.reference.TextReferences;
import java.util.List;
import java.util.Locale;

/**
 * One variable for a command's environment.
 *
 * @param place where the operator wrote it, for messages
 * @param text what it is set to: references, each in double braces, and any text around them
 */
public record Variable(String place, String name, String text) {
    /**
     * Reads {@code NAME=REF}. {@code REF} is a text with references in double braces; or one reference without them, such as
     * {@code vault:db} or {@code vault:db#username|uri}; or just the name of a secret.
     *
     * @throws ControlException with exit code 2 if there is no name or no reference, 3 if a reference is malformed
     */
    public static Variable ofOption(String option) {
        int equals = option.indexOf('=');
        if (equals < 1 || option.indexOf('\0') >= 0) {
            throw new ControlException(
                    ExitCode.WRONG_USAGE, "--env takes NAME=REF, such as --env TOKEN={{vault:github_token}}.");
        }
        String name = option.substring(0, equals);
        String place = "--env " + name;
        String text = option.substring(equals + 1);
        if (!find(place, text).isEmpty()) {
            return new Variable(place, name, text);
        }
        String lower = text.toLowerCase(Locale.ROOT);
        String reference = lower.startsWith("vault:") || lower.startsWith("secret:") ? text : "vault:" + text;
        return new Variable(place, name, alone(place, "{{" + reference + "}}"));
    }

    /**
     * A variable of a file, whose text need not hold a reference.
     *
     * @throws ControlException with exit code 3 if a reference is malformed
     */
    static Variable ofFile(String place, String name, String text) {
        find(place, text);
        return new Variable(place, name, text);
    }

    /** The references in its text, in order. */
    List<Reference> references() {
        return find(place, text);
    }

    private static String alone(String place, String reference) {
        try {
            return Reference.parse(reference).canonical();
        } catch (ReferenceException e) {
            throw new ControlException(
                    ExitCode.REFUSED,
                    "SECRET_UNRESOLVED",
                    place + ": this is neither a reference nor the name of a secret; write {{vault:NAME}}.");
        }
    }

    private static List<Reference> find(String place, String text) {
        try {
            return TextReferences.find(text);
        } catch (ReferenceException e) {
            throw new ControlException(
                    ExitCode.REFUSED,
                    "SECRET_UNRESOLVED",
                    place + ": " + e.reason() + " (offset " + e.offset() + ", length " + e.length() + ").");
        }
    }
}
