/** Tests of {@code dev.postern.web.portal.view}. */
@NullMarked
package dev.postern.web.portal.view;

import org.jspecify.annotations.NullMarked;
