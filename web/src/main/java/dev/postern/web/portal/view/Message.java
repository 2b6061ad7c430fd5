package dev.postern.web.portal.view;

/**
 * A page that says one thing, such as an error.
 *
 * @param next where to go from here
 * @param nextText the words of that link
 */
public record Message(String title, String text, String code, String next, String nextText) {}
