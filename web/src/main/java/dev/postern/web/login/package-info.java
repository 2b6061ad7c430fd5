/**
 * Signing the gateway in at servers that want OAuth, from a browser. In: a person's wish ({@link LoginApi}) and the redirect that
 * an authorization server sends the browser back with ({@link LoginCallback}). Out: an address to open, and a sentence for the
 * person; the login itself is {@link dev.postern.mcp.login.Logins}' business, and no token passes here. The callback is open to
 * anybody, since what counts is the {@code state} that only a login begun here has.
 */
@NullMarked
package dev.postern.web.login;

import org.jspecify.annotations.NullMarked;
