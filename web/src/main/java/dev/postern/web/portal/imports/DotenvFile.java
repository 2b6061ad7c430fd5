package dev.postern.web.portal.imports;

import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A dotenv file: {@code NAME=value} a line, {@code export} before it or not, {@code #} for comments. A value in single quotes is
 * taken as it stands, one in double quotes with its escapes {@code \n \r \t \" \\} read; both may run over lines.
 */
final class DotenvFile {
    private static final List<String> HINTS = List.of(
            "key",
            "secret",
            "token",
            "pass",
            "pwd",
            "auth",
            "credential",
            "private",
            "dsn",
            "database_url",
            "cert",
            "salt");

    private final byte[] text;
    private int at;
    private int line = 1;

    private DotenvFile(byte[] text, int start) {
        this.text = text;
        this.at = start;
    }

    static List<ImportedSecret> read(byte[] file, int start) {
        List<ImportedSecret> secrets = new ArrayList<>();
        try {
            DotenvFile reader = new DotenvFile(file, start);
            while (reader.skipToName()) {
                reader.entry(secrets);
                if (secrets.size() > SecretFile.MAX_SECRETS) {
                    throw new ImportException("The file holds more than " + SecretFile.MAX_SECRETS
                            + " secrets; split it and import the parts.");
                }
            }
        } catch (ImportException e) {
            secrets.forEach(ImportedSecret::close);
            throw e;
        }
        return secrets;
    }

    private boolean skipToName() {
        while (at < text.length) {
            byte b = text[at];
            if (b == '#') {
                skipLine();
            } else if (b == '\n') {
                at++;
                line++;
            } else if (b == ' ' || b == '\t' || b == '\r') {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    private void entry(List<ImportedSecret> secrets) {
        String name = name();
        if (name.equals("export") && at < text.length && (text[at] == ' ' || text[at] == '\t')) {
            skipBlanks();
            name = name();
        }
        skipBlanks();
        if (name.isEmpty() || at >= text.length || text[at] != '=') {
            throw new ImportException("Line " + line
                    + " is not NAME=value, and the first line names no column for passwords, so this is neither a dotenv "
                    + "file nor a password manager's CSV.");
        }
        at++;
        skipBlanks();
        byte[] value = value();
        if (value.length > 0) {
            secrets.add(new ImportedSecret(name, new SecretValue(value), null, null, null, List.of(), isLikely(name)));
            Arrays.fill(value, (byte) 0);
        }
    }

    private String name() {
        int start = at;
        while (at < text.length && isOfName(text[at])) {
            at++;
        }
        return new String(text, start, at - start, StandardCharsets.US_ASCII);
    }

    private byte[] value() {
        if (at < text.length && (text[at] == '"' || text[at] == '\'' || text[at] == '`')) {
            return quoted(text[at]);
        }
        int start = at;
        int end = at;
        while (at < text.length && text[at] != '\n' && !(text[at] == '#' && at > start && isBlank(text[at - 1]))) {
            at++;
            if (!isBlank(text[at - 1]) && text[at - 1] != '\r') {
                end = at;
            }
        }
        skipLine();
        return Arrays.copyOfRange(text, start, end);
    }

    private byte[] quoted(byte quote) {
        int opened = line;
        at++;
        int end = closing(quote);
        if (end < 0) {
            throw new ImportException("The quote that opens on line " + opened + " is never closed.");
        }
        byte[] value = new byte[end - at];
        int length = 0;
        while (at < end) {
            byte b = text[at++];
            if (b == '\n') {
                line++;
            }
            if (b != '\\' || quote != '"' || at == end) {
                value[length++] = b;
                continue;
            }
            byte escaped = text[at++];
            switch (escaped) {
                case 'n' -> value[length++] = '\n';
                case 'r' -> value[length++] = '\r';
                case 't' -> value[length++] = '\t';
                case '"', '\\', '$' -> value[length++] = escaped;
                default -> {
                    value[length++] = b;
                    value[length++] = escaped;
                }
            }
        }
        at = end;
        byte[] exact = Arrays.copyOf(value, length);
        Arrays.fill(value, 0, length, (byte) 0);
        skipLine();
        return exact;
    }

    /** Where the quote closes that opened before {@code at}, or -1. */
    private int closing(byte quote) {
        int end = at;
        while (end < text.length && text[end] != quote) {
            end += quote == '"' && text[end] == '\\' ? 2 : 1;
        }
        return end < text.length ? end : -1;
    }

    private void skipBlanks() {
        while (at < text.length && isBlank(text[at])) {
            at++;
        }
    }

    private void skipLine() {
        while (at < text.length && text[at] != '\n') {
            at++;
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static boolean isOfName(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '_'
                || b == '.'
                || b == '-';
    }

    private static boolean isLikely(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return HINTS.stream().anyMatch(lower::contains);
    }
}
