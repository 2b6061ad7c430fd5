#!/bin/sh
# Prints what it costs to look for unknown secrets in 1 MiB: the detector with all its rules on clean JSON and on texts made to
# hurt it, and the same rules as regular expressions one by one in java.util.regex and RE2/J. Builds what it needs.
# Usage: bench/detect.sh [JMH OPTIONS]      for example  bench/detect.sh -p kind=clean-json
set -eu
home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
classpath=$home/bench/target/classpath
mvn ${MAVEN_OPTIONS:-} -q -f "$home/pom.xml" -pl bench -am -DskipTests package dependency:build-classpath -Dmdep.outputFile="$classpath"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
exec "$java" -cp "$home/bench/target/classes:$(cat "$classpath")" org.openjdk.jmh.Main DetectBenchmark \
  -prof dev.postern.bench.CpuTimeProfiler "$@"
