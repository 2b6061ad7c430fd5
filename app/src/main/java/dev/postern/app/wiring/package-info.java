/**
 * Where the modules meet. {@link dev.postern.app.wiring.Gateway} makes every part and ends them in reverse. In: settings of
 * a start. Out: a gateway that serves until it is closed. Nothing here decides about a call.
 */
@NullMarked
package dev.postern.app.wiring;

import org.jspecify.annotations.NullMarked;
