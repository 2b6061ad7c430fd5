/**
 * The frame that everything but the MCP endpoint is served in. In: routes, each with its method, path template, access
 * rule, endpoint and description. Out: a {@link dev.postern.web.http.Router}, a Jetty handler that keeps for all of them what
 * no endpoint can forget: who may call (A1, A2), that a person's browser was not made to call by another site (A4), bounds
 * on what is read, headers that confine pages, and problem details instead of stack traces.
 *
 * <p>Rules kept: a body is bytes, wiped once the endpoint has answered, and what may be secret in it is read as a
 * {@link dev.postern.secret.SecretValue}; no path, query or header is logged, because some carry a token.
 */
@NullMarked
package dev.postern.web.http;

import org.jspecify.annotations.NullMarked;
