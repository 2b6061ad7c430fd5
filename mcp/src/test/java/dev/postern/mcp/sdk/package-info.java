/** The official SDK's clients of both eras as agents. */
@NullMarked
package dev.postern.mcp.sdk;

import org.jspecify.annotations.NullMarked;
