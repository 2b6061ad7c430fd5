/**
 * The agents' side over HTTP: Jetty handlers for {@code /mcp} and {@code /mcp/SERVER} that authenticate, check
 * {@code Origin} and {@code Host} (A4), tell the eras apart, and carry conversations of {@code dev.postern.mcp.relay} as
 * JSON or event streams. In: HTTP requests. Out: HTTP responses whose messages are
 * {@link dev.postern.mcp.relay.Outbound}s.
 */
@NullMarked
package dev.postern.mcp.server;

import org.jspecify.annotations.NullMarked;
