/** Tests of detection: cases through every entry point, rules by their examples, properties over random JSON. */
@NullMarked
package dev.postern.detect;

import org.jspecify.annotations.NullMarked;
