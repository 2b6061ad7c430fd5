package dev.postern.app.config;

import dev.postern.json.JsonStrings;
import dev.postern.json.JsonValue;
import dev.postern.json.JsonWriter;
import dev.postern.json.Splice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Changes to the file that leave comments, order and layout of everything else alone. Each writes the file anew, at once. */
public final class ConfigEdit {
    private static final String SECTION = "mcpServers";

    private ConfigEdit() {}

    /**
     * Adds a server.
     *
     * @param definition its object, as a map or as JSON
     * @throws ConfigException if the name is taken or no name for a server, or the file cannot be read or written
     */
    public static void add(Path path, String name, Object definition) {
        if (!ServerReader.isName(name)) {
            throw new ConfigException("a server's name is 1 to 32 of letters, digits, '.', '-' and single '_'.");
        }
        ConfigFile file = ConfigFile.read(path);
        if (file.names().contains(name)) {
            throw new ConfigException("a server '" + name + "' is already in " + path + "; remove it first.");
        }
        String member =
                JsonStrings.quote(name) + ": " + new String(JsonWriter.write(definition), StandardCharsets.UTF_8);
        String section =
                file.root().member(SECTION) == null && file.root().member("servers") != null ? "servers" : SECTION;
        JsonValue servers = file.section(section);
        byte[] changed = servers == null
                ? insert(file.source(), file.root(), "  ", "\"" + SECTION + "\": {\n    " + member + "\n  }")
                : insert(file.source(), servers, "    ", member);
        write(path, changed);
    }

    /** Removes a server; false if the file has none of that name. */
    public static boolean remove(Path path, String name) {
        ConfigFile file = ConfigFile.read(path);
        for (String section : new String[] {SECTION, "servers"}) {
            JsonValue servers = file.section(section);
            if (servers != null && servers.member(name) != null) {
                write(path, delete(file.source(), servers, name));
                return true;
            }
        }
        return false;
    }

    private static byte[] insert(byte[] source, JsonValue object, String indent, String member) {
        JsonValue last = lastValue(object);
        int brace = object.end() - 1;
        int at = brace;
        while (at > object.start() + 1 && isSpace(source[at - 1])) {
            at--;
        }
        Splice splice = new Splice(source);
        if (last != null && !hasComma(source, last.end(), brace)) {
            splice.insert(last.end(), utf8(","));
        }
        String closing = at == brace ? "\n" + indent.substring(2) : "";
        return splice.insert(at, utf8("\n" + indentOf(source, object, indent) + member + closing))
                .apply();
    }

    private static byte[] delete(byte[] source, JsonValue object, String name) {
        JsonValue[] found = new JsonValue[2];
        JsonValue[] before = new JsonValue[1];
        object.forEachMember((token, value) -> {
            if (found[0] == null) {
                if (token.string().equals(name)) {
                    found[0] = token;
                    found[1] = value;
                } else {
                    before[0] = value;
                }
            }
        });
        int start = found[0].start();
        while (start > object.start() + 1 && isSpace(source[start - 1])) {
            start--;
        }
        byte[] plain = Jsonc.blankComments(source);
        int end = found[1].end();
        int next = end;
        while (isSpace(plain[next])) {
            next++;
        }
        Splice splice = new Splice(source);
        if (plain[next] == ',') {
            return splice.replace(start, next + 1, new byte[0]).apply();
        }
        if (before[0] != null) {
            int comma = before[0].end();
            while (plain[comma] != ',') {
                comma++;
            }
            splice.replace(comma, comma + 1, new byte[0]);
        }
        return splice.replace(start, end, new byte[0]).apply();
    }

    private static boolean hasComma(byte[] source, int from, int to) {
        byte[] plain = Jsonc.blankComments(source);
        for (int at = from; at < to; at++) {
            if (plain[at] == ',') {
                return true;
            }
        }
        return false;
    }

    private static @Nullable JsonValue lastValue(JsonValue object) {
        JsonValue[] last = new JsonValue[1];
        object.forEachMember((name, value) -> last[0] = value);
        return last[0];
    }

    /** The indentation of the object's first member where that stands on a line of its own. */
    private static String indentOf(byte[] source, JsonValue object, String otherwise) {
        JsonValue[] first = new JsonValue[1];
        object.forEachMember((name, value) -> first[0] = first[0] == null ? name : first[0]);
        if (first[0] == null) {
            return otherwise;
        }
        int lineStart = first[0].start();
        while (lineStart > 0 && (source[lineStart - 1] == ' ' || source[lineStart - 1] == '\t')) {
            lineStart--;
        }
        return lineStart > 0 && source[lineStart - 1] == '\n'
                ? new String(source, lineStart, first[0].start() - lineStart, StandardCharsets.UTF_8)
                : otherwise;
    }

    private static void write(Path path, byte[] text) {
        ConfigFile.parse(path, text);
        try {
            Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
            Path temporary = Files.createTempFile(target.getParent(), ".postern", ".json");
            try {
                Files.write(temporary, text);
                if (Files.exists(target)) {
                    Files.setPosixFilePermissions(temporary, Files.getPosixFilePermissions(target));
                }
                move(temporary, target);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new ConfigException(path + " cannot be written; check that you may write there.");
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\n' || b == '\r';
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
