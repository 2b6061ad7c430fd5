/**
 * Who is on the other side (A1, A2, A4): agents by their keys, people by sessions. In: requests, passphrases, passkeys and
 * one-time links. Out: an {@link dev.postern.web.http.Identity} for each request, and the routes by which people sign in, prove again
 * that it is them, and sign out.
 *
 * <p>Rules kept: a token is 256 random bits and only its hash is kept; a session ends after 30 minutes unused, after 12 hours
 * whatever happens, and at once where somebody signs out, is removed or sets a passphrase elsewhere; each sign-in opens a
 * session with a token of its own; a wrong passphrase and an unknown name get the same answer after the same work, and
 * tries are slowed down. How pages look is {@link dev.postern.web.auth.SignInPages}.
 */
@NullMarked
package dev.postern.web.auth;

import org.jspecify.annotations.NullMarked;
