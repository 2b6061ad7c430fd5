/** Tests of the LangChain4j adapters against the framework's own AI services with a model that follows a script. */
@NullMarked
package dev.postern.langchain4j;

import org.jspecify.annotations.NullMarked;
