/**
 * OAuth 2.1 on the servers' side: Postern as a client of remote servers that want it. In: the operator's wish to sign in, and
 * the redirect that the authorization server sends the browser back with. Out: access tokens for requests to that one server
 * ({@link dev.postern.mcp.client.Authorization}), renewed before they expire.
 *
 * <p>Discovery as 2026-07-28 has it (RFC 9728, RFC 8414, OpenID Connect Discovery), registration by RFC 7591 or a client id of the
 * operator's, code with PKCE (S256 or nothing), {@code resource}, {@code state} and {@code iss} checked. Tokens are sealed in the vault's store, never
 * among the secrets, never shown to an agent, and go to the server they were issued for and nowhere else; nothing that an agent
 * sends becomes one.
 */
@NullMarked
package dev.postern.mcp.login;

import org.jspecify.annotations.NullMarked;
