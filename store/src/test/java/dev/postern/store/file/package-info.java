/** Tests of the package of the same name, on real files. */
@NullMarked
package dev.postern.store.file;

import org.jspecify.annotations.NullMarked;
