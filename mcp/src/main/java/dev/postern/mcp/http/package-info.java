/**
 * {@code http_request}, the tool of ours that speaks HTTP. In: a method, a URL, headers and a body, values in place of
 * references. Out: status, headers and body, for the choke point to scrub. Keeps P9 to the end: the host is read from the URL
 * before anyone is asked, a reference cannot stand in it, and no redirect leads to another. What must not be reached
 * from here ({@link dev.postern.mcp.http.AddressGuard}) is not, whatever name leads to it.
 */
@NullMarked
package dev.postern.mcp.http;

import org.jspecify.annotations.NullMarked;
