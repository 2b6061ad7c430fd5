/** Tests of the package of the same name. */
@NullMarked
package dev.postern.app.config;

import org.jspecify.annotations.NullMarked;
