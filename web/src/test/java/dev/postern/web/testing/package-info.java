/** The front on a real store and a real server, and a browser that remembers cookies. */
@NullMarked
package dev.postern.web.testing;

import org.jspecify.annotations.NullMarked;
