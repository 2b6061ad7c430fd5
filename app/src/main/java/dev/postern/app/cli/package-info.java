/**
 * The commands, one class a noun. In: arguments and standard input. Out: plain text for people or, with {@code --json},
 * documents for machines on standard output; sentences on standard error; an exit code. Whatever concerns the running
 * gateway goes through {@link dev.postern.app.control.ControlClient}; nothing here reads a value back.
 */
@NullMarked
package dev.postern.app.cli;

import org.jspecify.annotations.NullMarked;
