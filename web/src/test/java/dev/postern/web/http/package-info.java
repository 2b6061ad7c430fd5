/** The frame over real HTTP: every rule that no endpoint can forget. */
@NullMarked
package dev.postern.web.http;

import org.jspecify.annotations.NullMarked;
