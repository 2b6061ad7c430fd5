package dev.postern.web.portal.view;

import org.jspecify.annotations.Nullable;

/**
 * The form for a one-time link, or the link that was made, shown this once.
 *
 * @param wrong what to mend; empty at first
 * @param url null where none was made
 * @param expires null where none was made
 */
public record LinkPage(
        String wrong, @Nullable String url, @Nullable Moment expires) {
    @Override
    public String toString() {
        return "LinkPage[hidden]";
    }
}
