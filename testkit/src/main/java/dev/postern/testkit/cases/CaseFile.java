package dev.postern.testkit.cases;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/** Reads a file of cases. */
public final class CaseFile {
    private CaseFile() {}

    /**
     * The cases of {@code cases/<file>}, each as its members.
     *
     * @throws IllegalStateException if the file has none: a test without cases cannot fail
     */
    public static List<Map<String, Object>> read(String file) {
        try (InputStream in = requireNonNull(CaseFile.class.getResourceAsStream("/cases/" + file), file)) {
            List<Map<String, Object>> cases = JSON.std.listOfFrom(Object.class, in).stream()
                    .map(CaseFile::members)
                    .toList();
            if (cases.isEmpty()) {
                throw new IllegalStateException("no cases in " + file);
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> members(Object read) {
        return (Map<String, Object>) read;
    }

    /** The string under {@code name}. */
    static String string(Map<String, Object> members, String name) {
        return (String) requireNonNull(members.get(name), name);
    }
}
