/** Variables, files of them, and the pump, each on its own; the command as a whole is tried end to end. */
@NullMarked
package dev.postern.app.run;

import org.jspecify.annotations.NullMarked;
