package dev.postern.web.auth;

import dev.postern.gate.person.Passkey;
import dev.postern.web.http.Reply;
import dev.postern.web.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How signing in looks. Each page is a form that is posted to where the page stands, with the fields named here; texts are
 * to be escaped.
 */
public interface SignInPages {
    /**
     * Fields {@code name} (only where asked for), {@code passphrase} and, hidden, {@code to}; posted to {@code /sign-in}.
     *
     * @param to where to go afterwards, a path here
     * @param asksName whether there is more than one person
     * @param offersPasskeys whether somebody could sign in with a passkey here
     * @param openIdName whose account people sign in with, besides; empty for nobody's
     * @param name what was typed before
     * @param message what was wrong before
     * @param status of the reply
     */
    record SignInForm(
            String to,
            boolean asksName,
            boolean offersPasskeys,
            String openIdName,
            String name,
            @Nullable String message,
            int status) {}

    Reply signIn(Request request, SignInForm form);

    /**
     * What a one-time link shows: fields {@code passphrase} and {@code again}; posted to {@code path}, with both empty to go
     * on without a passphrase.
     *
     * @param path holds the link's token
     * @param name who signs in
     * @param hasPassphrase whether one is set, or a passkey is there, so that none has to be chosen
     */
    record Welcome(
            String path,
            String name,
            boolean hasPassphrase,
            @Nullable String message,
            int status) {}

    Reply welcome(Request request, Welcome welcome);

    /** A link that is spent, expired or never was: one answer for all, with status 404. */
    Reply noLink(Request request);

    /**
     * Before a sensitive act: fields {@code passphrase} and, hidden, {@code to} and the session's token {@code csrf}; posted
     * to {@code /confirm}. Where a provider is named, a link to {@code /confirm/openid} with the query parameter {@code to}.
     *
     * @param asksPassphrase whether they have one
     * @param offersPasskeys whether one of their passkeys can be used here
     * @param elsewhere where passkeys can be used, if not here
     * @param openIdName the provider whose account they came with, and where they sign in again; empty for none
     * @param providerIsGone whether they came with the account of a provider that is not configured any more
     */
    record ConfirmForm(
            String to,
            boolean asksPassphrase,
            boolean offersPasskeys,
            String elsewhere,
            String openIdName,
            boolean providerIsGone,
            @Nullable String message,
            int status) {}

    Reply confirm(Request request, ConfirmForm form);

    /**
     * One's own account: fields {@code current}, {@code passphrase}, {@code again} and {@code csrf}; posted to
     * {@code /account}. Beside it a form that is posted to {@code /sign-out}, and for each passkey one with its {@code id}
     * that is posted to {@code /account/passkeys/remove}.
     *
     * @param confirmed whether they can add and remove passkeys now
     * @param passkeysPossible whether browsers keep passkeys for the address the page was asked under
     * @param elsewhere where they do, if not
     */
    record AccountForm(
            boolean hasPassphrase,
            int openSessions,
            List<Passkey> passkeys,
            boolean confirmed,
            boolean passkeysPossible,
            String elsewhere,
            @Nullable String message,
            int status) {}

    Reply account(Request request, AccountForm form);
}
