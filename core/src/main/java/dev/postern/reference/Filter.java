package dev.postern.reference;

import org.jspecify.annotations.Nullable;

/** A transformation of a value before it is placed (R2), so that it fits the text around it. */
public enum Filter {
    /** Percent-encoding of every byte that is not unreserved in RFC 3986. */
    URI("uri"),
    /** Base64 of RFC 4648, section 4, padded. */
    BASE64("base64"),
    /** The inside of a JSON string: escaped, without the quotes. */
    JSON("json"),
    /** One word of a POSIX shell, in single quotes. */
    SHELL("shell"),
    /** Base64 of {@code username:value}, as in an HTTP Authorization header (RFC 7617). */
    BASIC("basic");

    private final String label;

    Filter(String label) {
        this.label = label;
    }

    /** How the filter is written in a reference: lower case. */
    public String label() {
        return label;
    }

    /** The filter written so, or null. Case counts. */
    public static @Nullable Filter labelled(String label) {
        for (Filter filter : values()) {
            if (filter.label.equals(label)) {
                return filter;
            }
        }
        return null;
    }
}
