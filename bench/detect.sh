#!/bin/sh
# Prints what it costs to look for unknown secrets in 1 MiB: the detector with all its rules on clean JSON and on texts made to
# hurt it, and the same rules as regular expressions one by one in java.util.regex and RE2/J. Builds what it needs.
# Usage: bench/detect.sh [JMH OPTIONS]      for example  bench/detect.sh -p kind=clean-json
exec "$(dirname -- "$0")/jmh.sh" DetectBenchmark "$@"
