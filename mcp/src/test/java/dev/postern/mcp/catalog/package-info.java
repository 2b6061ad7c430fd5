/** What servers list, as it is learnt and merged. */
@NullMarked
package dev.postern.mcp.catalog;

import org.jspecify.annotations.NullMarked;
