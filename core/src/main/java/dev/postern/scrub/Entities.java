package dev.postern.scrub;

import java.util.Arrays;

/** The named character references that stand for a character a credential is likely to have (HTML, section 13.5). */
final class Entities {
    /** No name or number is longer, leading zeros of a number apart. */
    static final int LONGEST = 12;

    /** What has been read of a name before its first letter. */
    static final int START = 0;
    /** No name begins so. */
    static final int NONE = -1;

    private static final int ALPHABET = 128;
    /** By what has been read of a name and the next letter: what has been read then, or 0. A tree with its root at {@link #START}. */
    private static short[] next = new short[ALPHABET];

    /** By what has been read: the character a name that ends there stands for, or 0. */
    private static char[] characters = new char[1];

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
            enter(names[i], names[i + 1].charAt(0));
        }
        // Letters beyond ASCII, since passwords are written in them.
        String latin =
                "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3"
                        + " acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml"
                        + " ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig"
                        + " agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml"
                        + " eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
        char character = 0xA0;
        for (String name : latin.split(" ", -1)) {
            enter(name, character++);
        }
    }

    private Entities() {}

    private static void enter(String name, char character) {
        int at = START;
        for (int i = 0; i < name.length(); i++) {
            int step = at * ALPHABET + name.charAt(i);
            if (next[step] == 0) {
                next[step] = (short) characters.length;
                characters = Arrays.copyOf(characters, characters.length + 1);
                next = Arrays.copyOf(next, characters.length * ALPHABET);
            }
            at = next[step];
        }
        characters[at] = character;
    }

    /** What has been read of a name one character longer; {@link #NONE} if no name begins so. */
    static int next(int read, int character) {
        int next = character >= 0 && character < ALPHABET ? Entities.next[read * ALPHABET + character] : 0;
        return next == 0 ? NONE : next;
    }

    /** The character a name stands for that has been read, or {@link #NONE}. */
    static int character(int read) {
        return characters[read] == 0 ? NONE : characters[read];
    }
}
