/**
 * The data directory: made private to its user, held by one process at a time, and the files in it.
 *
 * <p>In: a path. Out: a {@link dev.postern.store.file.DataDirectory} that no other process can open until it is closed.
 * Everything that is wrong with a directory is a {@link dev.postern.store.file.DataDirectoryException} whose message is
 * one plain sentence; nothing is damaged by finding it out.
 */
@NullMarked
package dev.postern.store.file;

import org.jspecify.annotations.NullMarked;
