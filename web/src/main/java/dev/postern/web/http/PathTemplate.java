package dev.postern.web.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A path with names in braces, each for one whole segment that is not empty. */
record PathTemplate(List<String> segments) {
    static PathTemplate parse(String template) {
        return new PathTemplate(List.of(template.substring(1).split("/", -1)));
    }

    /** The segments of a path as it was sent. */
    static List<String> split(String rawPath) {
        return List.of(rawPath.substring(1).split("/", -1));
    }

    /** How many segments stand for any; the fewer, the better a match. */
    int variables() {
        return (int) segments.stream().filter(PathTemplate::isVariable).count();
    }

    /** The values by name, decoded; null if the path is another. */
    @Nullable
    Map<String, String> match(List<String> path) {
        if (path.size() != segments.size()) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < path.size(); i++) {
            String segment = segments.get(i);
            if (isVariable(segment)) {
                String value = decode(path.get(i));
                if (value == null || value.isEmpty()) {
                    return null;
                }
                values.put(segment.substring(1, segment.length() - 1), value);
            } else if (!segment.equals(path.get(i))) {
                return null;
            }
        }
        return values;
    }

    private static boolean isVariable(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    private static @Nullable String decode(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
