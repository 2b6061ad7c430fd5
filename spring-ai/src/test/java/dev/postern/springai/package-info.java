/** Tests of the Spring AI adapters against the framework's own chat client with a model that follows a script. */
@NullMarked
package dev.postern.springai;

import org.jspecify.annotations.NullMarked;
