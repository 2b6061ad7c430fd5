/**
 * One-time links over HTTP (O1 to O3). In: tokens, names of secrets, values to hand over. Out: a value, once, to whoever brings its
 * link and presses the button; links, to whoever may make them. A look at a link takes nothing, whatever looks: programs that
 * preview links, scanners and browsers that fetch ahead send no POST. Every miss is the same answer, byte for byte. No answer is
 * kept or passed on by a browser, and nothing here logs a path.
 */
@NullMarked
package dev.postern.web.link;

import org.jspecify.annotations.NullMarked;
