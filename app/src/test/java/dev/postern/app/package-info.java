/** Tests of the package of the same name. */
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
