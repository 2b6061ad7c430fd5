package dev.postern.reference;

import java.util.List;
import java.util.Locale;

/**
 * One reference as an agent wrote it: which secret, which of its fields, and how the value is shaped for its place
 * (R1, R2). Equal references ask for the same value.
 *
 * @param kind whether the secret is known by name or by id
 * @param name the name in the vault, or the id, a UUID in lower case
 * @param field the field asked for
 * @param filters applied from left to right; at most {@value #MAX_FILTERS}
 */
public record Reference(Kind kind, String name, Field field, List<Filter> filters) {
    /** Filters can make a value several times longer each, so their number is bounded. */
    public static final int MAX_FILTERS = 8;

    /** How the secret is known. */
    public enum Kind {
        /** By name: <code>{{vault:NAME}}</code>. */
        VAULT("vault"),
        /** By id: <code>{{secret:UUID}}</code>. */
        SECRET("secret");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** How the kind is written in canonical form. */
        public String label() {
            return label;
        }
    }

    /** @throws IllegalArgumentException if the name is none of its kind, or there are too many filters */
    public Reference {
        if (kind == Kind.SECRET) {
            name = name.toLowerCase(Locale.ROOT);
        }
        if (!(kind == Kind.VAULT ? ReferenceGrammar.isName(name) : ReferenceGrammar.isUuid(name))) {
            throw new IllegalArgumentException("not the name of a secret");
        }
        filters = List.copyOf(filters);
        if (filters.size() > MAX_FILTERS) {
            throw new IllegalArgumentException("too many filters");
        }
    }

    /**
     * Reads a text that is one reference and nothing else.
     *
     * @throws ReferenceException if it is anything else; offset and length count in {@code text}
     */
    public static Reference parse(String text) {
        if (!ReferenceGrammar.isMarker(text, 0)) {
            throw new ReferenceException("", 0, text.length(), "the text is not a reference");
        }
        ReferenceGrammar.Found found = ReferenceGrammar.read(text, 0);
        if (found.end() != text.length()) {
            throw new ReferenceException("", found.end(), text.length() - found.end(), "text follows the reference");
        }
        return found.reference();
    }

    /**
     * The one spelling of this reference: kind and id in lower case, {@code password} left out after a name and written
     * after an id.
     */
    public String canonical() {
        StringBuilder canonical =
                new StringBuilder("{{").append(kind.label()).append(':').append(name);
        if (kind == Kind.SECRET) {
            canonical.append('.').append(field.label());
        } else if (field != Field.PASSWORD) {
            canonical.append('#').append(field.label());
        }
        for (Filter filter : filters) {
            canonical.append('|').append(filter.label());
        }
        return canonical.append("}}").toString();
    }

    /** What stands in a result where the value stood (S7). Filters do not show. */
    public String placeholder() {
        return kind == Kind.VAULT ? withoutFilters().canonical() : "[secret:" + name + "." + field.label() + "]";
    }

    /** The same field of the same secret, as it is. */
    public Reference withoutFilters() {
        return filters.isEmpty() ? this : new Reference(kind, name, field, List.of());
    }

    /** The canonical form, which is safe to show: a reference is not secret. */
    @Override
    public String toString() {
        return canonical();
    }
}
