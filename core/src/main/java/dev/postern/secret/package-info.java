/**
 * Secret bytes and the right to read them. Everything that ever holds a value holds it as a
 * {@link dev.postern.secret.SecretValue}; every place that reads one names why with a
 * {@link dev.postern.secret.Reveal}, so one search finds them all.
 */
@NullMarked
package dev.postern.secret;

import org.jspecify.annotations.NullMarked;
