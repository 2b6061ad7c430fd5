package dev.postern.web.portal.view;

/**
 * What became of the last act, said once on the next page.
 *
 * @param kind {@code good}, {@code warn} or {@code bad}: also the style's class
 */
public record Flash(String kind, String text) {
    public static Flash good(String text) {
        return new Flash("good", text);
    }

    public static Flash warn(String text) {
        return new Flash("warn", text);
    }

    public static Flash bad(String text) {
        return new Flash("bad", text);
    }
}
