/** JMH benchmarks. Every figure in a document names the benchmark that prints it. */
@NullMarked
package dev.postern.bench;

import org.jspecify.annotations.NullMarked;
