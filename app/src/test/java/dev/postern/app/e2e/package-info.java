/**
 * The product as a whole: real processes, real MCP servers, agents of both eras over HTTP and standard streams, and a
 * search for the value in everything that comes out.
 */
@NullMarked
package dev.postern.app.e2e;

import org.jspecify.annotations.NullMarked;
