#!/bin/sh
# Prints what it costs to take values out of a result of 150,000 characters: the scrubber on results of several kinds, without and
# with values in them, and on texts made to hurt it; peers over the same bytes. Builds what it needs.
# Usage: bench/scrub.sh [JMH OPTIONS]      for example  bench/scrub.sh ScrubBenchmark.clean -p values=32
set -eu
home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
classpath=$home/bench/target/classpath
mvn ${MAVEN_OPTIONS:-} -q -f "$home/pom.xml" -pl bench -am -DskipTests package dependency:build-classpath -Dmdep.outputFile="$classpath"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
case ${1:-} in [A-Za-z]*) which=$1; shift ;; *) which=ScrubBenchmark ;; esac
exec "$java" -cp "$home/bench/target/classes:$(cat "$classpath")" org.openjdk.jmh.Main "$which" \
  -prof dev.postern.bench.CpuTimeProfiler "$@"
