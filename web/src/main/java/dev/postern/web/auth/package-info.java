/**
 * Who is on the other side: agents by their keys (A1). In: requests. Out: an {@link dev.postern.web.http.Identity}.
 */
@NullMarked
package dev.postern.web.auth;

import org.jspecify.annotations.NullMarked;
