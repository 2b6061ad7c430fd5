package dev.postern.web.auth;

import dev.postern.web.http.Identity;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Forms without style, for where there is no portal. */
public final class PlainSignInPages implements SignInPages {
    @Override
    public Reply signIn(Request request, SignInForm form) {
        String name = form.asksName() ? field("name", "Name", "text", "username") : "";
        return page(
                form.status(),
                "Sign in",
                form.message(),
                name
                        + field("passphrase", "Passphrase", "password", "current-password")
                        + hidden("to", form.to())
                        + button("Sign in"),
                "/sign-in");
    }

    @Override
    public Reply welcome(Request request, Welcome welcome) {
        String choose = welcome.hasPassphrase()
                ? ""
                : field("passphrase", "Choose a passphrase", "password", "new-password")
                        + field("again", "Again", "password", "new-password");
        return page(
                welcome.status(),
                "Welcome, " + welcome.name(),
                welcome.message(),
                choose + button("Continue"),
                welcome.path());
    }

    @Override
    public Reply noLink(Request request) {
        return page(404, "This link does not work", "It was used, has expired or never was.", "", "/sign-in");
    }

    @Override
    public Reply confirm(Request request, ConfirmForm form) {
        return page(
                form.status(),
                "Confirm that it is you",
                form.message(),
                (form.asksPassphrase() ? field("passphrase", "Passphrase", "password", "current-password") : "")
                        + hidden("to", form.to())
                        + token(request)
                        + button("Confirm"),
                "/confirm");
    }

    @Override
    public Reply account(Request request, AccountForm form) {
        String current =
                form.hasPassphrase() ? field("current", "Current passphrase", "password", "current-password") : "";
        return page(
                form.status(),
                "Your account",
                form.message(),
                current
                        + field("passphrase", "New passphrase", "password", "new-password")
                        + field("again", "Again", "password", "new-password")
                        + token(request)
                        + button("Change"),
                "/account");
    }

    private static Reply page(int status, String title, @Nullable String message, String fields, String action) {
        String text = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>" + escaped(title)
                + "</title><h1>" + escaped(title) + "</h1>" + (message == null ? "" : "<p>" + escaped(message) + "</p>")
                + (fields.isEmpty()
                        ? ""
                        : "<form method=\"post\" action=\"" + escaped(action) + "\">" + fields + "</form>")
                + "</html>";
        return Reply.html(status, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String field(String name, String label, String type, String autocomplete) {
        return "<p><label>" + label + " <input name=\"" + name + "\" type=\"" + type + "\" autocomplete=\""
                + autocomplete + "\"></label></p>";
    }

    private static String hidden(String name, String value) {
        return "<input type=\"hidden\" name=\"" + name + "\" value=\"" + escaped(value) + "\">";
    }

    private static String token(Request request) {
        return request.caller() instanceof Identity.Person person ? hidden("csrf", person.token()) : "";
    }

    private static String button(String label) {
        return "<p><button>" + label + "</button></p>";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
