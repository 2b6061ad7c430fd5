package dev.postern.gate.vault;

/**
 * What is said of where a secret is used. It is shown to people and to agents, so it must hold no secret itself, as an address
 * with {@code user:password@} before its host does.
 */
public final class Website {
    private static final String SCHEME_END = "://";

    private Website() {}

    /** Whether an address holds a password, or a name that only stands before passwords. */
    public static boolean holdsCredentials(String website) {
        int at = authorityEnd(website) < 0 ? -1 : website.lastIndexOf('@', authorityEnd(website) - 1);
        int start = authorityStart(website);
        return at >= start && (start > 0 || website.substring(0, at).indexOf(':') >= 0);
    }

    /** The address without credentials, query and fragment: what an export says, as far as it may be shown. */
    public static String shown(String website) {
        int start = authorityStart(website);
        int end = website.length();
        for (int i = start; i < website.length(); i++) {
            if (website.charAt(i) == '?' || website.charAt(i) == '#') {
                end = i;
                break;
            }
        }
        String address = website.substring(0, end);
        return holdsCredentials(address)
                ? address.substring(0, start)
                        + address.substring(address.lastIndexOf('@', authorityEnd(address) - 1) + 1)
                : address;
    }

    /**
     * Checks what a person wrote.
     *
     * @throws IllegalArgumentException if it holds credentials; quotes nothing
     */
    public static void check(String website) {
        if (holdsCredentials(website)) {
            throw new IllegalArgumentException(
                    "The website has a user or a password before its host, and agents see it: leave them out of the address.");
        }
    }

    private static int authorityStart(String website) {
        int scheme = website.indexOf(SCHEME_END);
        return scheme < 0 ? 0 : scheme + SCHEME_END.length();
    }

    private static int authorityEnd(String website) {
        for (int i = authorityStart(website); i < website.length(); i++) {
            if ("/?#\\".indexOf(website.charAt(i)) >= 0) {
                return i;
            }
        }
        return website.length();
    }
}
