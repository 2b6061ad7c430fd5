/** Taking known values out of what comes back. */
@NullMarked
package dev.postern.scrub;

import org.jspecify.annotations.NullMarked;
