/**
 * Servers as a person looks at them. In: a server's name. Out: whether it answers now and which tools it offers, scrubbed like
 * everything that a server says (S1).
 */
@NullMarked
package dev.postern.web.server;

import org.jspecify.annotations.NullMarked;
