/** Tests of {@code dev.postern.web.portal.imports}. */
@NullMarked
package dev.postern.web.portal.imports;

import org.jspecify.annotations.NullMarked;
