#!/bin/sh
# Prints what it costs to take values out of a result of 150,000 characters: the scrubber on results of several kinds, without and
# with values in them, and on texts made to hurt it; peers over the same bytes. Builds what it needs.
# Usage: bench/scrub.sh [JMH OPTIONS]      for example  bench/scrub.sh -p values=32
exec "$(dirname -- "$0")/jmh.sh" ScrubBenchmark "$@"
