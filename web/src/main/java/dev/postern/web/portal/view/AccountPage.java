package dev.postern.web.portal.view;

import dev.postern.web.auth.SignInPages.AccountForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One's own account. */
public record AccountPage(AccountForm form, List<Row> passkeys) {
    /**
     * A passkey.
     *
     * @param host what it works for
     */
    public record Row(
            String id,
            List<Segment> name,
            String host,
            Moment created,
            @Nullable Moment lastUsed) {}
}
