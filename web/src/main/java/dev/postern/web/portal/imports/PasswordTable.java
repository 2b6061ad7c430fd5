package dev.postern.web.portal.imports;

import dev.postern.gate.vault.Website;
import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What password managers and browsers export as CSV: Bitwarden, 1Password, Chrome, Edge, Firefox, KeePassXC, Apple Passwords,
 * LastPass and others whose first line names the columns alike. Columns that nobody here knows are not read.
 */
final class PasswordTable {
    /** A column's meaning by its name in the first line, in lower case. */
    private static final Map<String, Column> COLUMNS = Map.ofEntries(
            Map.entry("password", Column.PASSWORD),
            Map.entry("login_password", Column.PASSWORD),
            Map.entry("username", Column.USERNAME),
            Map.entry("login_username", Column.USERNAME),
            Map.entry("login", Column.USERNAME),
            Map.entry("url", Column.WEBSITE),
            Map.entry("login_uri", Column.WEBSITE),
            Map.entry("website", Column.WEBSITE),
            Map.entry("name", Column.TITLE),
            Map.entry("title", Column.TITLE),
            Map.entry("notes", Column.NOTES),
            Map.entry("note", Column.NOTES),
            Map.entry("extra", Column.NOTES),
            Map.entry("tags", Column.TAGS),
            Map.entry("folder", Column.TAGS),
            Map.entry("group", Column.TAGS),
            Map.entry("grouping", Column.TAGS));

    /** A shorter password may stand in a title by chance. */
    private static final int LONG_ENOUGH_TO_TELL = 8;

    private enum Column {
        TITLE,
        WEBSITE,
        USERNAME,
        PASSWORD,
        NOTES,
        TAGS
    }

    private PasswordTable() {}

    /** Whether the first line names a column for passwords and one more. */
    static boolean isOne(byte[] file, int start) {
        int end = start;
        while (end < file.length && file[end] != '\n' && file[end] != '\r') {
            end++;
        }
        byte[] first = Arrays.copyOf(file, end);
        try {
            Map<Column, Integer> columns = columns(new CsvReader(first, start).next());
            return columns.containsKey(Column.PASSWORD) && columns.size() > 1;
        } catch (ImportException notOne) {
            return false;
        } finally {
            Arrays.fill(first, (byte) 0); // of another kind of file, it may hold a secret
        }
    }

    static List<ImportedSecret> read(byte[] file, int start) {
        CsvReader reader = new CsvReader(file, start);
        Map<Column, Integer> columns = columns(reader.next());
        List<ImportedSecret> secrets = new ArrayList<>();
        try {
            read(reader, columns, secrets);
            return secrets;
        } catch (ImportException e) {
            secrets.forEach(ImportedSecret::close);
            throw e;
        }
    }

    private static void read(CsvReader reader, Map<Column, Integer> columns, List<ImportedSecret> secrets) {
        for (List<byte[]> record = reader.next(); record != null; record = reader.next()) {
            ImportedSecret secret = secret(record, columns, reader.line());
            record.forEach(field -> Arrays.fill(field, (byte) 0));
            if (secret != null) {
                secrets.add(secret);
            }
            if (secrets.size() > SecretFile.MAX_SECRETS) {
                throw new ImportException("The file holds more than " + SecretFile.MAX_SECRETS
                        + " secrets; split it and import the parts.");
            }
        }
    }

    private static Map<Column, Integer> columns(@Nullable List<byte[]> names) {
        Map<Column, Integer> columns = new HashMap<>();
        if (names != null) {
            for (int i = 0; i < names.size(); i++) {
                byte[] name = names.get(i);
                int index = i;
                COLUMNS.forEach((known, column) -> {
                    if (isCalled(name, known)) {
                        columns.putIfAbsent(column, index);
                    }
                });
                Arrays.fill(name, (byte) 0);
            }
        }
        return columns;
    }

    /** Without making a string of what may be no column's name but a secret. */
    private static boolean isCalled(byte[] name, String known) {
        int start = 0;
        int end = name.length;
        while (start < end && name[start] == ' ') {
            start++;
        }
        while (end > start && name[end - 1] == ' ') {
            end--;
        }
        if (end - start != known.length()) {
            return false;
        }
        for (int i = 0; i < known.length(); i++) {
            int b = name[start + i];
            if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != known.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Null for an entry without a password, such as a card or a note. */
    private static @Nullable ImportedSecret secret(List<byte[]> record, Map<Column, Integer> columns, int line) {
        byte[] password = field(record, columns, Column.PASSWORD);
        if (password.length == 0) {
            return null;
        }
        String website = shown(
                Website.shown(text(field(record, columns, Column.WEBSITE))).getBytes(StandardCharsets.UTF_8), password);
        String username = shown(field(record, columns, Column.USERNAME), password);
        String title = shown(field(record, columns, Column.TITLE), password);
        byte[] notes = field(record, columns, Column.NOTES);
        String tag = shown(field(record, columns, Column.TAGS), password);
        return new ImportedSecret(
                title.isEmpty() ? host(website, line) : title,
                new SecretValue(password),
                notes.length == 0 ? null : new SecretValue(notes),
                website.isEmpty() ? null : website,
                username.isEmpty() ? null : username,
                Arrays.stream(tag.split("[,;/]"))
                        .map(String::strip)
                        .filter(one -> !one.isEmpty())
                        .toList(),
                true);
    }

    /** A column that people and agents are shown; nothing of one that holds the password as well. */
    private static String shown(byte[] field, byte[] password) {
        return password.length >= LONG_ENOUGH_TO_TELL && holds(field, password) ? "" : text(field);
    }

    private static boolean holds(byte[] field, byte[] part) {
        for (int start = 0; start + part.length <= field.length; start++) {
            if (Arrays.equals(field, start, start + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] field(List<byte[]> record, Map<Column, Integer> columns, Column column) {
        Integer index = columns.get(column);
        return index == null || index >= record.size() ? new byte[0] : record.get(index);
    }

    /** Browsers export no title: the host stands for it. */
    private static String host(String website, int line) {
        String rest = website.contains("://") ? website.substring(website.indexOf("://") + 3) : website;
        int end = 0;
        while (end < rest.length() && "/:?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        return end == 0 ? "line-" + line : rest.substring(0, end);
    }

    /** Only of columns that hold no secret. */
    private static String text(byte[] field) {
        return new String(field, StandardCharsets.UTF_8).strip();
    }
}
