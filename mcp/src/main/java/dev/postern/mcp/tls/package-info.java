/**
 * The key and certificates of the gateway's own TLS. In: where they are. Out: a key store in memory, or a sentence that says
 * which file is wrong and what to do; what reads it anew and speaks TLS is the server's business. Arrays that held the key or a
 * password are wiped; no message quotes one.
 */
@NullMarked
package dev.postern.mcp.tls;

import org.jspecify.annotations.NullMarked;
