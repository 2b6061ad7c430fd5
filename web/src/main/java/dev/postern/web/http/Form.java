package dev.postern.web.http;

import dev.postern.secret.SecretValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a submitted form, urlencoded or multipart, known by where their bytes stand in the body. A field becomes a
 * string only when it is asked for as one.
 */
public final class Form {
    static final String URLENCODED = "application/x-www-form-urlencoded";
    static final String MULTIPART = "multipart/form-data";
    private static final int MAX_FIELDS = 2_000;

    private final byte[] body;
    private final List<Field> fields;

    private Form(byte[] body, List<Field> fields) {
        this.body = body;
        this.fields = fields;
    }

    /** One field; {@code file} is the name of an uploaded file. */
    private record Field(String name, @Nullable String file, int start, int end, boolean encoded) {}

    static Form urlencoded(byte[] body) {
        List<Field> fields = new ArrayList<>();
        int start = 0;
        while (start < body.length) {
            int end = indexOf(body, '&', start, body.length);
            int equals = indexOf(body, '=', start, end);
            if (end > start) {
                byte[] name = decode(body, start, equals);
                add(
                        fields,
                        new Field(
                                new String(name, StandardCharsets.UTF_8), null, Math.min(equals + 1, end), end, true));
            }
            start = end + 1;
        }
        return new Form(body, fields);
    }

    /**
     * A body of parts.
     *
     * @throws ProblemException if the parts cannot be told apart
     */
    static Form multipart(byte[] body, String contentType) {
        byte[] delimiter = ("--" + boundary(contentType)).getBytes(StandardCharsets.ISO_8859_1);
        List<Field> fields = new ArrayList<>();
        int at = indexOf(body, delimiter, 0);
        while (at >= 0) {
            int line = at + delimiter.length;
            if (startsWith(body, line, "--")) {
                return new Form(body, fields);
            }
            int next = indexOf(body, delimiter, line);
            int headersEnd = indexOf(body, "\r\n\r\n".getBytes(StandardCharsets.US_ASCII), line);
            if (!startsWith(body, line, "\r\n") || next < 0 || headersEnd < 0 || headersEnd + 4 > next - 2) {
                break;
            }
            String headers = new String(body, line, headersEnd - line, StandardCharsets.UTF_8);
            String name = parameter(headers, "name");
            if (name != null) {
                add(fields, new Field(name, parameter(headers, "filename"), headersEnd + 4, next - 2, false));
            }
            at = next;
        }
        throw new ProblemException(400, "INVALID_REQUEST", "The form's parts cannot be told apart; send it again.");
    }

    private static void add(List<Field> fields, Field field) {
        if (fields.size() == MAX_FIELDS) {
            throw new ProblemException(413, "TOO_MANY_FIELDS", "A form has at most " + MAX_FIELDS + " fields.");
        }
        fields.add(field);
    }

    /** The first field of a name as text, or null. Never for what may be secret. */
    public @Nullable String text(String name) {
        for (Field field : fields) {
            if (field.name.equals(name)) {
                return text(field);
            }
        }
        return null;
    }

    /** Every field of a name as text, in order. */
    public List<String> texts(String name) {
        return fields.stream()
                .filter(field -> field.name.equals(name))
                .map(this::text)
                .toList();
    }

    /** Whether there is such a field and it is not empty. */
    public boolean has(String name) {
        return fields.stream().anyMatch(field -> field.name.equals(name) && field.end > field.start);
    }

    /** The first field of a name, or the content of the file uploaded under it, as bytes that the caller closes. */
    public Optional<SecretValue> secret(String name) {
        for (Field field : fields) {
            if (field.name.equals(name)) {
                byte[] bytes = bytes(field);
                try {
                    return Optional.of(new SecretValue(bytes));
                } finally {
                    Arrays.fill(bytes, (byte) 0);
                }
            }
        }
        return Optional.empty();
    }

    /** The name of a file that was uploaded, or null. */
    public @Nullable String fileName(String name) {
        for (Field field : fields) {
            if (field.name.equals(name)) {
                return field.file;
            }
        }
        return null;
    }

    private String text(Field field) {
        return new String(bytes(field), StandardCharsets.UTF_8);
    }

    private byte[] bytes(Field field) {
        return field.encoded ? decode(body, field.start, field.end) : Arrays.copyOfRange(body, field.start, field.end);
    }

    private static byte[] decode(byte[] text, int start, int end) {
        byte[] decoded = new byte[end - start];
        int length = 0;
        for (int at = start; at < end; at++) {
            int b = text[at];
            if (b == '+') {
                b = ' ';
            } else if (b == '%' && at + 2 < end && hex(text[at + 1]) >= 0 && hex(text[at + 2]) >= 0) {
                b = hex(text[at + 1]) << 4 | hex(text[at + 2]);
                at += 2;
            }
            decoded[length++] = (byte) b;
        }
        byte[] exact = Arrays.copyOf(decoded, length);
        Arrays.fill(decoded, (byte) 0);
        return exact;
    }

    private static int hex(byte digit) {
        return digit < 0 ? -1 : Character.digit(digit, 16);
    }

    private static String boundary(String contentType) {
        String boundary = parameter(contentType.replace(";", "; "), "boundary");
        if (boundary == null || boundary.isEmpty() || boundary.length() > 70) {
            throw new ProblemException(400, "INVALID_REQUEST", "The form has no boundary; send it again.");
        }
        return boundary;
    }

    /** A parameter of a header, quoted or not. Browsers write a quote inside one as {@code %22}. */
    private static @Nullable String parameter(String header, String name) {
        String lower = header.toLowerCase(Locale.ROOT);
        int at = lower.indexOf(" " + name + "=");
        if (at < 0) {
            return null;
        }
        int start = at + name.length() + 2;
        if (start < header.length() && header.charAt(start) == '"') {
            int end = header.indexOf('"', start + 1);
            return end < 0 ? null : header.substring(start + 1, end);
        }
        int end = start;
        while (end < header.length() && ";\r\n ".indexOf(header.charAt(end)) < 0) {
            end++;
        }
        return header.substring(start, end);
    }

    private static boolean startsWith(byte[] text, int at, String expected) {
        for (int i = 0; i < expected.length(); i++) {
            if (at + i >= text.length || text[at + i] != expected.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int indexOf(byte[] text, char wanted, int from, int to) {
        int at = from;
        while (at < to && text[at] != wanted) {
            at++;
        }
        return at;
    }

    private static int indexOf(byte[] text, byte[] wanted, int from) {
        for (int at = from; at <= text.length - wanted.length; at++) {
            if (Arrays.equals(text, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        return -1;
    }
}
