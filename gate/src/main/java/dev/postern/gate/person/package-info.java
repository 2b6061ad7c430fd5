/**
 * The people who decide (A1, A2): who they are, how they prove it, by passphrases and passkeys, and their sessions. Ports; the store keeps hashes of
 * passphrases, tokens and links, never the thing itself.
 */
@NullMarked
package dev.postern.gate.person;

import org.jspecify.annotations.NullMarked;
