/**
 * The control socket: how the command line speaks to the running gateway. A Unix domain socket in the data directory,
 * which only its user can enter (A1: a channel the agent does not hold). In: one line of JSON, and where a value travels
 * one frame of bytes after it. Out: lines of JSON, the last of them the result or a failure. Values never become text.
 */
@NullMarked
package dev.postern.app.control;

import org.jspecify.annotations.NullMarked;
