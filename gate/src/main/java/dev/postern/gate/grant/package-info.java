/**
 * The one way past the prompt (P4): bounded permission a person gave, claimed use by use.
 */
@NullMarked
package dev.postern.gate.grant;

import org.jspecify.annotations.NullMarked;
