/**
 * The leak finder: told which values must not be seen, it decodes a message in every way it knows, again and again, and
 * looks. In: bytes and values. Out: how a value can be read from them, or nothing. It is slow, obvious and shares no
 * code with the scrubber it judges.
 */
@NullMarked
package dev.postern.testkit.leak;

import org.jspecify.annotations.NullMarked;
