/** Who may do what. */
@NullMarked
package dev.postern.gate.agent;

import org.jspecify.annotations.NullMarked;
