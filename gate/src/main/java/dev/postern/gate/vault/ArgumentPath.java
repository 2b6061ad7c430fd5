package dev.postern.gate.vault;

import java.util.List;

/**
 * The place of an argument: names of members, one inside the other. An array on the way stands for all its elements.
 *
 * @param names at least one, none of them empty
 */
public record ArgumentPath(List<String> names) {
    private static final String SEPARATOR = "/";

    public ArgumentPath {
        names = List.copyOf(names);
        if (names.isEmpty() || names.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("an argument's place is its name, or names with '/' between them");
        }
    }

    /**
     * Reads {@code url} or {@code request/url}; a slash before it is passed over, and {@code ~1} and {@code ~0} are as in a JSON
     * Pointer.
     *
     * @throws IllegalArgumentException if there is no name, or an empty one
     */
    public static ArgumentPath parse(String text) {
        String names = text.startsWith(SEPARATOR) ? text.substring(1) : text;
        return new ArgumentPath(List.of(names.split(SEPARATOR, -1)).stream()
                .map(name -> name.replace("~1", "/").replace("~0", "~"))
                .toList());
    }

    @Override
    public String toString() {
        return String.join(SEPARATOR, names);
    }
}
