/**
 * Reads secrets out of the files people keep them in: dotenv files and the CSV exports of password managers. In: the bytes of
 * an upload. Out: {@link dev.postern.web.portal.imports.ImportedSecret}s.
 *
 * <p>Rules kept: what may be secret (values, notes, columns nobody knows) is moved as bytes into
 * {@link dev.postern.secret.SecretValue}s and never becomes a string; a message about a file names the line, never its content.
 */
@NullMarked
package dev.postern.web.portal.imports;

import org.jspecify.annotations.NullMarked;
