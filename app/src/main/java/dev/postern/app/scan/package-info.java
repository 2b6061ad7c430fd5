/**
 * {@code postern scan}: the detector over files. In: paths, the Git index, or standard input. Out: findings as text, JSON or
 * SARIF 2.1.0, each with its place and never with a value (D1, D7). Respects {@code .gitignore}; skips binary files.
 */
@NullMarked
package dev.postern.app.scan;

import org.jspecify.annotations.NullMarked;
