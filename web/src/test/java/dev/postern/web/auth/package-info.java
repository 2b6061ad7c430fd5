/** Signing in, over real HTTP on a real store, with a clock that the tests move. */
@NullMarked
package dev.postern.web.auth;

import org.jspecify.annotations.NullMarked;
