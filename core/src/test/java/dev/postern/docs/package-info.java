/** The examples of docs/library.md, compiled and run, and the test that the page quotes them word by word. */
@NullMarked
package dev.postern.docs;

import org.jspecify.annotations.NullMarked;
