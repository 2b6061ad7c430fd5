package dev.postern.web.portal.view;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Characters that have no look of their own, or that change how others are shown. */
final class Invisible {
    private Invisible() {}

    static boolean is(int point) {
        if (point == '\n' || point == '\t' || point == ' ') {
            return false;
        }
        if (isFiller(point) || isVariation(point)) {
            return true;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> true;
            default -> false;
        };
    }

    /** Letters and marks by their category, but drawn as nothing. */
    private static boolean isFiller(int point) {
        return switch (point) {
            case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0 -> true;
            default -> false;
        };
    }

    private static boolean isVariation(int point) {
        return (point >= 0xFE00 && point <= 0xFE0F) || (point >= 0xE0100 && point <= 0xE01EF);
    }

    static boolean isBidirectional(int point) {
        return (point >= 0x202A && point <= 0x202E)
                || (point >= 0x2066 && point <= 0x2069)
                || point == 0x200E
                || point == 0x200F
                || point == 0x061C;
    }

    /** Such as {@code U+202E}. */
    static String label(int point) {
        return String.format(Locale.ROOT, "U+%04X", point);
    }

    /** Such as {@code RIGHT-TO-LEFT OVERRIDE}. */
    static String name(int point) {
        @Nullable String name = Character.getName(point);
        return name == null ? "a character that no standard names" : name;
    }

    static String warning(int point) {
        if (isBidirectional(point)) {
            return "Controls of writing direction are inside: without the marks, text would be shown in another order "
                    + "than the tool reads it.";
        }
        if (point >= 0xE0000 && point <= 0xE007F) {
            return "Tag characters are inside: they can spell text that no screen shows.";
        }
        return switch (Character.getType(point)) {
            case Character.SPACE_SEPARATOR -> "Unusual spaces are inside.";
            case Character.CONTROL -> "Control characters are inside.";
            case Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE ->
                "Characters without a meaning of their own are inside.";
            default -> "Characters that no screen shows are inside.";
        };
    }
}
