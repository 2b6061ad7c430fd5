/** Telling whoever wants to know what has happened on this node. In: events. Out: the same, to each listener, whatever the others do. */
@NullMarked
package dev.postern.gate.listen;

import org.jspecify.annotations.NullMarked;
