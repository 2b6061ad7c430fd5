/**
 * What people and programs call over HTTP besides the MCP endpoint: for now {@code /healthz} and {@code /readyz}. In:
 * requests that {@link dev.postern.mcp.server.OriginGuard} let through (A4). Out: handlers for
 * {@link dev.postern.mcp.server.McpServer}.
 */
@NullMarked
package dev.postern.web;

import org.jspecify.annotations.NullMarked;
