/** Logins at servers, against an authorization server and a protected server that are really there. */
@NullMarked
package dev.postern.mcp.login;

import org.jspecify.annotations.NullMarked;
