#!/bin/sh
# Builds the benchmarks and runs those that match.
# Usage: bench/jmh.sh BENCHMARK [JMH OPTIONS]      for example  bench/jmh.sh ScrubBenchmark.clean -p values=32
set -eu
home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
classpath=$home/bench/target/classpath
mvn ${MAVEN_OPTIONS:-} -q -f "$home/pom.xml" -pl bench -am -DskipTests package dependency:build-classpath -Dmdep.outputFile="$classpath"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
exec "$java" -cp "$home/bench/target/classes:$(cat "$classpath")" org.openjdk.jmh.Main "$@" -prof dev.postern.bench.CpuTimeProfiler
