package dev.postern.web.portal.imports;

import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
        try {
            Map<Column, Integer> columns = columns(new CsvReader(Arrays.copyOf(file, end), start).next());
            return columns.containsKey(Column.PASSWORD) && columns.size() > 1;
        } catch (ImportException notOne) {
            return false;
        }
    }

    static List<ImportedSecret> read(byte[] file, int start) {
        CsvReader reader = new CsvReader(file, start);
        Map<Column, Integer> columns = columns(reader.next());
        List<ImportedSecret> secrets = new ArrayList<>();
        for (List<byte[]> record = reader.next(); record != null; record = reader.next()) {
            ImportedSecret secret = secret(record, columns, reader.line());
            record.forEach(field -> Arrays.fill(field, (byte) 0));
            if (secret != null) {
                secrets.add(secret);
            }
            if (secrets.size() > SecretFile.MAX_SECRETS) {
                secrets.forEach(ImportedSecret::close);
                throw new ImportException("The file holds more than " + SecretFile.MAX_SECRETS
                        + " secrets; split it and import the parts.");
            }
        }
        return secrets;
    }

    private static Map<Column, Integer> columns(@Nullable List<byte[]> names) {
        Map<Column, Integer> columns = new HashMap<>();
        if (names != null) {
            for (int i = 0; i < names.size(); i++) {
                Column column = COLUMNS.get(text(names.get(i)).toLowerCase(Locale.ROOT));
                if (column != null) {
                    columns.putIfAbsent(column, i);
                }
            }
        }
        return columns;
    }

    /** Null for an entry without a password, such as a card or a note. */
    private static @Nullable ImportedSecret secret(List<byte[]> record, Map<Column, Integer> columns, int line) {
        byte[] password = field(record, columns, Column.PASSWORD);
        if (password.length == 0) {
            return null;
        }
        String website = text(field(record, columns, Column.WEBSITE));
        String username = text(field(record, columns, Column.USERNAME));
        String title = text(field(record, columns, Column.TITLE));
        byte[] notes = field(record, columns, Column.NOTES);
        String tag = text(field(record, columns, Column.TAGS));
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
