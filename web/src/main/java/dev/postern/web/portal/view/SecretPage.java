package dev.postern.web.portal.view;

import java.util.List;

/**
 * One secret, without its value.
 *
 * @param wrong what to mend of what was sent; empty at first
 * @param reference what an agent writes
 * @param grants live grants for it
 */
public record SecretPage(VaultPage.Row secret, String wrong, String reference, List<GrantsPage.Row> grants) {
    public SecretPage {
        grants = List.copyOf(grants);
    }
}
