/** A terminal that tests sit at, and what the system is asked for. */
@NullMarked
package dev.postern.app.posix;

import org.jspecify.annotations.NullMarked;
