package dev.postern.web.portal.view;

/**
 * The form for a new secret, with what was typed before where something was wrong. The value is never sent back.
 *
 * @param wrong what to mend; empty at first
 */
public record SecretForm(
        String wrong,
        String name,
        String website,
        String username,
        String description,
        String tags,
        String servers,
        String tools,
        String hosts) {
    public static final SecretForm EMPTY = new SecretForm("", "", "", "", "", "", "", "", "");
}
