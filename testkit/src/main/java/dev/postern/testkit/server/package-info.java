/**
 * MCP servers to test against: real ones from npm ({@link dev.postern.testkit.server.NodeServers}), and ones of our own
 * that do exactly what a test asks, sound or broken, as child processes
 * ({@link dev.postern.testkit.server.ScriptedServer}). They share no code with the product.
 */
@NullMarked
package dev.postern.testkit.server;

import org.jspecify.annotations.NullMarked;
