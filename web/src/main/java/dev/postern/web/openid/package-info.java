/**
 * An OpenID Connect provider, as a client sees it (OpenID Connect Core 1.0, authorization code flow with PKCE). In: the
 * configuration, and what a browser brought back. Out: who signed in there, as claims that were checked.
 *
 * <p>Rules kept: only the configured issuer's metadata, endpoints and keys are used, over TLS unless they are on this machine;
 * redirects are not followed; an ID token counts only if it is signed by a key of the issuer with a listed algorithm, was made
 * for us, in time, and for the browser that began; what the UserInfo endpoint adds counts only if it is of the same account; no
 * token is kept, logged or quoted.
 */
@NullMarked
package dev.postern.web.openid;

import org.jspecify.annotations.NullMarked;
