package dev.postern.app.run;

import dev.postern.app.control.ControlException;
import dev.postern.app.control.ExitCode;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of variables, one {@code NAME=text} a line; references stand in double braces, everything else is meant as it is.
 *
 * <p>Blank lines and lines that start with {@code #} count for nothing, {@code export} before a name neither. A text in
 * single quotes is taken as it stands, one in double quotes knows {@code \n \r \t \" \\ \$}; without quotes it ends before
 * {@code  #} and loses the white space around it. Variables in a text are not expanded.
 */
public final class EnvironmentFile {
    private EnvironmentFile() {}

    /**
     * The variables of a file, in order.
     *
     * @throws IOException with a sentence, if it cannot be read
     * @throws ControlException with exit code 1 and the line, if one cannot be understood; 3 if a reference is malformed
     */
    public static List<Variable> read(Path file) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (MalformedInputException e) {
            throw new IOException(file + " is not UTF-8.", e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read.", e);
        }
        List<Variable> variables = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                variables.add(variable(file + " line " + (i + 1), line));
            }
        }
        return variables;
    }

    private static Variable variable(String place, String line) {
        String assignment =
                line.startsWith("export ") ? line.substring("export ".length()).strip() : line;
        int equals = assignment.indexOf('=');
        String name = equals < 0 ? "" : assignment.substring(0, equals).stripTrailing();
        if (!isName(name)) {
            throw malformed(place, "a line is NAME=text");
        }
        return Variable.ofFile(
                place, name, text(place, assignment.substring(equals + 1).strip()));
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && !Character.isDigit(name.charAt(0))
                && name.chars().allMatch(c -> c == '_' || (c < 128 && Character.isLetterOrDigit(c)));
    }

    private static String text(String place, String written) {
        if (written.startsWith("'")) {
            int end = written.indexOf('\'', 1);
            nothingAfter(place, written, end);
            return written.substring(1, end);
        }
        if (written.startsWith("\"")) {
            return doubleQuoted(place, written);
        }
        int comment = written.startsWith("#") ? 0 : written.indexOf(" #");
        return comment < 0 ? written : written.substring(0, comment).strip();
    }

    private static String doubleQuoted(String place, String written) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c == '"') {
                nothingAfter(place, written, i);
                return text.toString();
            }
            if (c != '\\' || i + 1 == written.length()) {
                text.append(c);
                continue;
            }
            char escaped = written.charAt(++i);
            switch (escaped) {
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case '"', '\\', '$' -> text.append(escaped);
                default -> text.append('\\').append(escaped);
            }
        }
        throw malformed(place, "the quote is not closed");
    }

    private static void nothingAfter(String place, String written, int quote) {
        if (quote < 0) {
            throw malformed(place, "the quote is not closed");
        }
        String rest = written.substring(quote + 1).strip();
        if (!rest.isEmpty() && !rest.startsWith("#")) {
            throw malformed(place, "there is text after the closing quote");
        }
    }

    private static ControlException malformed(String place, String what) {
        return new ControlException(ExitCode.FAILED, place + ": " + what + ".");
    }
}
