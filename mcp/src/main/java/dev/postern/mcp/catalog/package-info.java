/**
 * What the servers offer, as one offer: names that tell whose a tool is, lists merged page by page, definitions as last
 * listed, and our own tools. In: scrubbed list results. Out: JSON lists of ours, made of the servers' items with only
 * the name rewritten. Keeps interfaces' naming ({@code server__tool}), R8 and P5 (definitions' hashes).
 */
@NullMarked
package dev.postern.mcp.catalog;

import org.jspecify.annotations.NullMarked;
