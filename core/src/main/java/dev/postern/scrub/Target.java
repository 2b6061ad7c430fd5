package dev.postern.scrub;

import dev.postern.json.JsonStrings;
import java.nio.charset.StandardCharsets;

/** What stands in a value's place, and how strictly the value is looked for. Holds nothing of the value but its length. */
final class Target {
    /** Where a form of the value counts as the value (S8, S9). */
    enum Reach {
        /** Wherever it stands. */
        ANYWHERE,
        /** Only as a whole token: 1 to 3 characters, same call. */
        TOKEN,
        /** Only where the whole string, scalar or line equals it: under 8 characters, remembered. */
        WHOLE
    }

    private final byte[] text;
    private final byte[] escaped;
    private final int characters;
    private final Reach reach;

    Target(String placeholder, int characters, Reach reach) {
        this.text = placeholder.getBytes(StandardCharsets.UTF_8);
        this.escaped = JsonStrings.escape(text);
        this.characters = characters;
        this.reach = reach;
    }

    /** S8 for a value of this call, S9 for a remembered one. */
    static Reach reach(int characters, boolean remembered) {
        if (remembered) {
            return characters >= 8 ? Reach.ANYWHERE : Reach.WHOLE;
        }
        return characters >= 4 ? Reach.ANYWHERE : Reach.TOKEN;
    }

    /** The placeholder as it stands in plain text. */
    byte[] text() {
        return text;
    }

    /** The placeholder as it stands between the quotes of a JSON string. */
    byte[] escaped() {
        return escaped;
    }

    /** Length of the value: of two that overlap, the longer one names the place (S6). */
    int characters() {
        return characters;
    }

    Reach reach() {
        return reach;
    }
}
