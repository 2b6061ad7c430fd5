package dev.postern.web.portal.view;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Words that pass for Latin ones: by letters of another script in between, or made of such letters altogether. */
final class Lookalikes {
    /** Letters drawn like a Latin one in common fonts, pairwise: the letter, and what it is read as. */
    private static final String PAIRS = ""
            // Cyrillic
            + "аaеeоoрpсcуyхxѕsіiјjԁdһhԛqԝwӏlвbгrкkмmнhтtЅSІIЈJАAВBЕEЗ3КKМMНHОOРPСCТTУYХXҮYԚQԜW"
            // Greek
            + "αaβbγyειικkνvοoρpτtυuχxωwΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲcϳj"
            // Armenian, Cherokee, Latin beyond ASCII
            + "օoսuցgհhոnɡgɑaıiᏟCᎠDᎬEᎻHᎫJᏞLᎷMᏢPᎡRᎢTᏙVᏃZ";

    /** Below are accented letters and such that people write by themselves. */
    private static final int FIRST_STYLED = 0x2100;

    private static final Map<Integer, Character> READ_AS = new HashMap<>();

    static {
        int[] points = PAIRS.codePoints().toArray();
        for (int i = 0; i + 1 < points.length; i += 2) {
            READ_AS.put(points[i], (char) points[i + 1]);
        }
    }

    private Lookalikes() {}

    /** What a person should know of the word; empty if there is nothing. */
    static String meaning(String word) {
        boolean isAscii = word.chars().allMatch(unit -> unit < 0x80);
        if (isAscii) {
            return "";
        }
        StringBuilder read = new StringBuilder();
        boolean hasLatin = false;
        boolean hasOther = false;
        boolean isReadAsLatin = true;
        Set<String> others = new LinkedHashSet<>();
        for (int point : word.codePoints().toArray()) {
            UnicodeScript script = UnicodeScript.of(point);
            hasLatin |= script == UnicodeScript.LATIN;
            int seen = seenAs(point);
            read.appendCodePoint(seen);
            isReadAsLatin &= seen < 0x80;
            if (seen != point) {
                hasOther = true;
                String name = Character.getName(point);
                others.add(Invisible.label(point) + (name == null ? "" : " " + name));
            } else if (script != UnicodeScript.LATIN && isAlphabetBesideLatin(script)) {
                hasOther = true;
            }
        }
        if (hasOther && isReadAsLatin) {
            return "looks like " + read + ", but has " + String.join(", ", others);
        }
        return hasOther && hasLatin
                ? "mixes alphabets" + (others.isEmpty() ? "" : ": " + String.join(", ", others))
                : "";
    }

    private static int seenAs(int point) {
        if (point < 0x80) {
            return point;
        }
        Character known = READ_AS.get(point);
        if (known != null) {
            return known;
        }
        if (point < FIRST_STYLED) {
            return point;
        }
        // Full-width, mathematical and other styled letters fold to the plain one.
        String folded = Normalizer.normalize(Character.toString(point), Normalizer.Form.NFKC);
        return folded.length() == 1 && folded.charAt(0) < 0x80 ? folded.charAt(0) : point;
    }

    private static boolean isAlphabetBesideLatin(UnicodeScript script) {
        return switch (script) {
            case CYRILLIC, GREEK, ARMENIAN, CHEROKEE, COPTIC, GEORGIAN -> true;
            default -> false;
        };
    }
}
