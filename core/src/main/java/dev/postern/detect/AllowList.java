package dev.postern.detect;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is found and let be: by rule, by path, by value. Immutable. */
final class AllowList {
    static final AllowList EMPTY = new AllowList(List.of());

    private final List<Entry> entries;

    AllowList(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    AllowList and(AllowList other) {
        List<Entry> all = new ArrayList<>(entries);
        all.addAll(other.entries);
        return new AllowList(all);
    }

    boolean allows(String rule, @Nullable String path, byte[] text, int start, int end) {
        for (Entry entry : entries) {
            if (entry.allows(rule, path, text, start, end)) {
                return true;
            }
        }
        return false;
    }

    /**
     * One line of the list; everything it names must hold.
     *
     * @param rule the rule's name, or null for every rule
     * @param path a glob over the path ({@code *}, {@code **}, {@code ?}), or null for every path and for none
     * @param value the value itself, with {@code *} for any characters, or {@code sha256:} and the hex digest of it
     */
    record Entry(
            @Nullable String rule,
            @Nullable String path,
            @Nullable String value) {
        private static final String DIGEST = "sha256:";

        boolean allows(String foundRule, @Nullable String foundPath, byte[] text, int start, int end) {
            if (rule != null && !rule.equals(foundRule)) {
                return false;
            }
            if (path != null && (foundPath == null || !Glob.ofPath(path).matches(Ascii.bytes(foundPath)))) {
                return false;
            }
            if (value == null) {
                return true;
            }
            byte[] found = java.util.Arrays.copyOfRange(text, start, end);
            try {
                return value.startsWith(DIGEST)
                        ? value.equals(DIGEST + digest(found))
                        : Glob.ofValue(value).matches(found);
            } finally {
                java.util.Arrays.fill(found, (byte) 0);
            }
        }

        private static String digest(byte[] found) {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(found));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this Java has no SHA-256", e);
            }
        }

        @Override
        public String toString() {
            return "Entry[rule=" + rule + ", path=" + path + ", value=" + (value == null ? "any" : "given") + "]";
        }
    }

    /** Wildcards over bytes, matched greedily with one step back: at most length times length, no recursion. */
    private static final class Glob {
        private final byte[] pattern;
        private final boolean segments;

        private Glob(byte[] pattern, boolean segments) {
            this.pattern = pattern;
            this.segments = segments;
        }

        /** {@code *} stops at a slash, {@code **} does not; a pattern without a slash is a file's name anywhere. */
        static Glob ofPath(String pattern) {
            String anchored = pattern.indexOf('/') < 0 ? "**/" + pattern : pattern;
            return new Glob(anchored.getBytes(StandardCharsets.UTF_8), true);
        }

        static Glob ofValue(String pattern) {
            return new Glob(pattern.getBytes(StandardCharsets.UTF_8), false);
        }

        boolean matches(byte[] text) {
            // Row by row over the pattern: which prefixes of the text the pattern's prefix can match.
            boolean[] reached = new boolean[text.length + 1];
            reached[0] = true;
            for (int p = 0; p < pattern.length; p++) {
                boolean[] next = new boolean[text.length + 1];
                if (pattern[p] == '*') {
                    boolean deep = segments && p + 1 < pattern.length && pattern[p + 1] == '*';
                    boolean slash = deep && p + 2 < pattern.length && pattern[p + 2] == '/';
                    p += slash ? 2 : deep ? 1 : 0;
                    boolean open = false;
                    for (int t = 0; t <= text.length; t++) {
                        if (t > 0 && segments && !deep && text[t - 1] == '/') {
                            open = false;
                        }
                        open |= reached[t];
                        // "**/" is nothing, or whole segments.
                        next[t] = slash ? reached[t] || (t > 0 && text[t - 1] == '/' && open) : open;
                    }
                } else {
                    for (int t = 0; t < text.length; t++) {
                        boolean any = segments && pattern[p] == '?' && text[t] != '/';
                        next[t + 1] = reached[t] && (any || pattern[p] == text[t]);
                    }
                }
                reached = next;
            }
            return reached[text.length];
        }
    }
}
