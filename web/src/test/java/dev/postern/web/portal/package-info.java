/** Tests of {@code dev.postern.web.portal}. */
@NullMarked
package dev.postern.web.portal;

import org.jspecify.annotations.NullMarked;
