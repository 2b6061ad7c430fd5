package dev.postern.web.portal;

import dev.postern.web.auth.SignInPages;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import dev.postern.web.portal.view.AccountPage;
import dev.postern.web.portal.view.VisibleText;
import java.util.Map;

/** Signing in, confirming and one's own account, in the portal's look. */
final class PortalSignIn implements SignInPages {
    private final Pages pages;

    PortalSignIn(Pages pages) {
        this.pages = pages;
    }

    @Override
    public Reply signIn(Request request, SignInForm form) {
        return pages.bare(request, form.status(), "sign-in", Map.of("form", form));
    }

    @Override
    public Reply welcome(Request request, Welcome welcome) {
        return pages.bare(request, welcome.status(), "welcome", Map.of("form", welcome));
    }

    @Override
    public Reply noLink(Request request) {
        return pages.bare(request, 404, "no-link", Map.of());
    }

    @Override
    public Reply confirm(Request request, ConfirmForm form) {
        return pages.show(request, form.status(), "", "Confirm that it is you", "confirm", form);
    }

    private AccountPage page(AccountForm form) {
        return new AccountPage(
                form,
                form.passkeys().stream()
                        .map(passkey -> new AccountPage.Row(
                                passkey.id(),
                                VisibleText.of(passkey.name()).segments(),
                                passkey.relyingParty(),
                                pages.moment(passkey.created()),
                                passkey.lastUsed() == null ? null : pages.moment(passkey.lastUsed())))
                        .toList());
    }

    @Override
    public Reply account(Request request, AccountForm form) {
        return pages.show(request, form.status(), "", "Your account", "account", page(form));
    }
}
