package dev.postern.mcp.wire;

import dev.postern.json.JsonValue;
import dev.postern.json.JsonValue.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a tool that its server wants mirrored into HTTP headers: schema properties marked
 * {@code x-mcp-header} (2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). Immutable.
 */
public final class HeaderParameters {
    private static final String MARK = "x-mcp-header";
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final BigDecimal LARGEST = BigDecimal.valueOf((1L << 53) - 1);
    private static final Set<String> TYPES = Set.of("string", "integer", "boolean");

    private final List<Parameter> parameters = new ArrayList<>();
    private boolean valid = true;

    private HeaderParameters() {}

    /** Reads a tool's {@code inputSchema}; null for a tool that has none. */
    public static HeaderParameters of(@Nullable JsonValue inputSchema) {
        HeaderParameters found = new HeaderParameters();
        if (inputSchema != null) {
            found.collect(inputSchema, List.of());
            found.valid &= found.parameters.size() == marks(inputSchema);
        }
        Set<String> names = new HashSet<>();
        for (Parameter parameter : found.parameters) {
            found.valid &= parameter.name.matches(TOKEN) && names.add(parameter.name.toLowerCase(Locale.ROOT));
        }
        return found;
    }

    /**
     * Whether every mark stands where it may: on a string, integer or boolean that is reached from the root by
     * {@code properties} alone, with a header name of its own. A tool for which this is false is not usable over HTTP.
     */
    public boolean isValid() {
        return valid;
    }

    public boolean isEmpty() {
        return parameters.isEmpty();
    }

    /** The headers for a call's arguments, names and encoded values. What is absent, null or of another type has none. */
    public Map<String, String> headers(@Nullable JsonValue arguments) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (!valid || arguments == null) {
            return headers;
        }
        for (Parameter parameter : parameters) {
            JsonValue value = arguments.path(parameter.path.toArray(String[]::new));
            String text = value == null ? null : text(value);
            if (text != null) {
                headers.put(HeaderNames.PARAMETER_PREFIX + parameter.name, HeaderValue.encode(text));
            }
        }
        return headers;
    }

    /**
     * Compares headers with a call's arguments (2026-07-28, Streamable HTTP, "Server Behavior for Custom Headers").
     *
     * @param given the headers' raw values by what follows their prefix, in lower case
     * @return the first header that does not say what the arguments say; null where all do
     */
    public @Nullable String mismatch(@Nullable JsonValue arguments, Map<String, String> given) {
        if (!valid) {
            return null;
        }
        for (Parameter parameter : parameters) {
            JsonValue value = arguments == null ? null : arguments.path(parameter.path.toArray(String[]::new));
            String header = given.get(parameter.name.toLowerCase(Locale.ROOT));
            boolean agrees;
            if (value == null || value.is(Kind.NULL)) {
                agrees = header == null;
            } else {
                agrees = header != null && says(header, value);
            }
            if (!agrees) {
                return HeaderNames.PARAMETER_PREFIX + parameter.name;
            }
        }
        return null;
    }

    /** A value of a type that may not be marked is the server's to refuse. */
    private static boolean says(String header, JsonValue value) {
        String decoded = HeaderValue.decode(header);
        String expected = text(value);
        if (decoded == null) {
            return false;
        }
        String number = value.is(Kind.NUMBER) ? integer(decoded) : null;
        return expected == null || decoded.equals(expected) || expected.equals(number);
    }

    private static @Nullable String text(JsonValue value) {
        return switch (value.kind()) {
            case STRING -> value.string();
            case TRUE, FALSE -> value.spelling();
            case NUMBER -> integer(value.spelling());
            case OBJECT, ARRAY, NULL -> null;
        };
    }

    private static @Nullable String integer(String spelling) {
        try {
            BigDecimal number = new BigDecimal(spelling);
            return number.abs().compareTo(LARGEST) <= 0
                    ? number.toBigIntegerExact().toString()
                    : null;
        } catch (ArithmeticException | NumberFormatException notAnInteger) {
            return null;
        }
    }

    private void collect(JsonValue schema, List<String> path) {
        JsonValue properties = schema.member("properties");
        if (properties == null) {
            return;
        }
        properties.forEachMember((nameToken, property) -> {
            List<String> here = new ArrayList<>(path);
            here.add(nameToken.string());
            JsonValue mark = property.member(MARK);
            if (mark != null) {
                String type = property.string("type");
                valid &= mark.is(Kind.STRING) && type != null && TYPES.contains(type);
                parameters.add(new Parameter(here, mark.is(Kind.STRING) ? mark.string() : ""));
            }
            collect(property, here);
        });
    }

    /** How many marks a schema has anywhere; a property that happens to have the mark's name is none. */
    private static int marks(JsonValue value) {
        int[] count = {0};
        if (value.is(Kind.ARRAY)) {
            value.elements().forEach(element -> count[0] += marks(element));
        }
        value.forEachMember((nameToken, member) -> {
            String name = nameToken.string();
            if (name.equals(MARK)) {
                count[0]++;
            } else if (name.equals("properties") || name.equals("$defs") || name.equals("definitions")) {
                member.forEachMember((property, schema) -> count[0] += marks(schema));
            } else if (!name.equals("default")
                    && !name.equals("const")
                    && !name.equals("enum")
                    && !name.equals("examples")) {
                count[0] += marks(member);
            }
        });
        return count[0];
    }

    private record Parameter(List<String> path, String name) {}
}
