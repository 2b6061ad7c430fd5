/**
 * OAuth 2.1 on the agents' side: Postern as a resource server. In: the bearer token of a request and the endpoint it is for.
 * Out: the agent it stands for and the permissions its scopes leave it, or why it is none; and the metadata that leads a
 * client to the authorization server (RFC 9728). Tokens are JSON Web Tokens of one configured issuer, checked by its published
 * keys; they are never passed on, kept or logged.
 *
 * <p>Loaded only where the configuration has it, so that nobody else pays for it at start.
 */
@NullMarked
package dev.postern.mcp.oauth;

import org.jspecify.annotations.NullMarked;
