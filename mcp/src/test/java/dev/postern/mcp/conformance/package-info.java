/**
 * The protocol's official conformance suites, run against a server of both eras that was written for them: directly, and
 * through a gateway. What passes directly has to pass through the gateway.
 */
@NullMarked
package dev.postern.mcp.conformance;

import org.jspecify.annotations.NullMarked;
