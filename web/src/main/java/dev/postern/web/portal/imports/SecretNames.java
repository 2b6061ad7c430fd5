package dev.postern.web.portal.imports;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/** Names that references can carry (R1), out of what files call their entries. */
public final class SecretNames {
    private static final int MAX_LENGTH = 64;

    private SecretNames() {}

    /** 1 to 64 of {@code a-z 0-9 _ . -}, near to the title, and none of those taken. */
    public static String of(String title, Set<String> taken) {
        StringBuilder name = new StringBuilder();
        String plain = Normalizer.normalize(title, Normalizer.Form.NFKD).toLowerCase(Locale.ROOT);
        for (int i = 0; i < plain.length() && name.length() < MAX_LENGTH; i++) {
            char c = plain.charAt(i);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.') {
                name.append(c);
            } else if (Character.getType(c) != Character.NON_SPACING_MARK
                    && !name.isEmpty()
                    && name.charAt(name.length() - 1) != '-') {
                name.append('-');
            }
        }
        while (!name.isEmpty() && name.charAt(name.length() - 1) == '-') {
            name.setLength(name.length() - 1);
        }
        String base = name.isEmpty() ? "secret" : name.toString();
        String candidate = base;
        for (int number = 2; taken.contains(candidate); number++) {
            String suffix = "-" + number;
            candidate = base.substring(0, Math.min(base.length(), MAX_LENGTH - suffix.length())) + suffix;
        }
        return candidate;
    }
}
