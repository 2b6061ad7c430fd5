/**
 * One-time links (O1 to O3): a value behind a token that works once, for a short while. In: a value and how long it may wait.
 * Out: a link, shown once; and the value, to the first who brings the token. {@link dev.postern.gate.link.LinkStore} is the port
 * to where values wait; it decides every race. {@link dev.postern.gate.link.OneTimeLinks} keeps the ledger: making a link and
 * redeeming one are entries, and no value leaves without a durable intent (L3). No token is in an entry, a log or a list.
 */
@NullMarked
package dev.postern.gate.link;

import org.jspecify.annotations.NullMarked;
