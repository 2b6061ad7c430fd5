/**
 * {@code postern demo}: the whole story in a terminal. In: a terminal, or {@code --yes}. Out: what the agent wrote, what the
 * operator was asked, what the tool got (as a hash), what the agent saw, and the ledger's entry, all from a real gateway
 * with a data directory of its own and a real MCP conversation over HTTP.
 */
@NullMarked
package dev.postern.app.demo;

import org.jspecify.annotations.NullMarked;
