/** Tests of the package of the same name. */
@NullMarked
package dev.postern.app.control;

import org.jspecify.annotations.NullMarked;
