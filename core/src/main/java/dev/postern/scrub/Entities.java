package dev.postern.scrub;

import java.util.HashMap;
import java.util.Map;

/** The named character references that stand for a character a credential is likely to have (HTML, section 13.5). */
final class Entities {
    /** No name or number is longer, leading zeros of a number apart. */
    static final int LONGEST = 12;

    private static final Map<Integer, Integer> BY_HASH = new HashMap<>();

    static {
        String[] names = {
            "quot", "\"", "QUOT", "\"", "amp", "&", "AMP", "&", "lt", "<", "LT", "<", "gt", ">", "GT", ">", "apos", "'",
            "euro", "\u20ac", "sol", "/", "bsol", "\\", "num", "#", "percnt", "%", "dollar", "$", "excl", "!", "commat",
            "@", "plus", "+", "equals", "=", "colon", ":", "semi", ";", "comma", ",", "period", ".", "quest", "?",
            "ast", "*", "lpar", "(", "rpar", ")", "lsqb", "[", "lbrack", "[", "rsqb", "]", "rbrack", "]", "lcub", "{",
            "lbrace", "{", "rcub", "}", "rbrace", "}", "lowbar", "_", "grave", "`", "Hat", "^", "verbar", "|", "vert",
            "|", "Tab", "\t", "NewLine", "\n", "hyphen", "\u2010", "midast", "*", "sim", "\u223c"
        };
        for (int i = 0; i < names.length; i += 2) {
            int hash = 0;
            for (int j = 0; j < names[i].length(); j++) {
                hash = hash(hash, names[i].charAt(j));
            }
            BY_HASH.put(hash, (int) names[i + 1].charAt(0));
        }
        // Letters beyond ASCII, since passwords are written in them.
        String latin =
                "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3"
                        + " acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml"
                        + " ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig"
                        + " agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml"
                        + " eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
        int character = 0xA0;
        for (String name : latin.split(" ", -1)) {
            int hash = 0;
            for (int j = 0; j < name.length(); j++) {
                hash = hash(hash, name.charAt(j));
            }
            BY_HASH.put(hash, character++);
        }
    }

    private Entities() {}

    /** The hash of a name one character longer. */
    static int hash(int hash, int character) {
        return hash * 131 + character;
    }

    /** The character a name with this hash stands for, or -1. */
    static int character(int hash) {
        return BY_HASH.getOrDefault(hash, -1);
    }
}
