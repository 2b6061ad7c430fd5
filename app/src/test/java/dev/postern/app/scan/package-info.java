/** Tests of what {@code postern scan} looks at, in real Git work trees, and of the bar it draws. */
@NullMarked
package dev.postern.app.scan;

import org.jspecify.annotations.NullMarked;
