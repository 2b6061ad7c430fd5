/** What one gateway is put together from, piece by piece. */
@NullMarked
package dev.postern.app.wiring;

import org.jspecify.annotations.NullMarked;
