/** Tests of links over HTTP: a real store, a real server. */
@NullMarked
package dev.postern.web.link;

import org.jspecify.annotations.NullMarked;
