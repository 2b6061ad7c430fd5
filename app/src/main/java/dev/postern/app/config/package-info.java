/**
 * The configuration file: {@code postern.json} with its {@code mcpServers} (or {@code servers} and {@code inputs}, as VS
 * Code writes them), comments and trailing commas allowed. In: the file's bytes and the environment's variables. Out:
 * {@link dev.postern.app.config.ConfiguredServer}s whose texts may still hold references (R10), and edits that leave
 * every byte they do not concern as it was. Errors name the line, the JSON pointer and the remedy, never a setting's
 * text.
 */
@NullMarked
package dev.postern.app.config;

import org.jspecify.annotations.NullMarked;
