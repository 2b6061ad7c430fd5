/**
 * The program: {@link dev.postern.app.Main} decides between {@code connect}, which must answer at once, and everything
 * else. In: the process's arguments, environment and standard streams. Out: an exit code of
 * {@link dev.postern.app.control.ExitCode}.
 */
@NullMarked
package dev.postern.app;

import org.jspecify.annotations.NullMarked;
