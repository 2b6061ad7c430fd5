#!/bin/sh
# Builds the benchmarks and appends to a new ledger, to see whether it stays as fast as it grows.
# Usage: bench/ledger.sh [ENTRIES]
set -eu
home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
classpath=$home/bench/target/classpath
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
mvn ${MAVEN_OPTIONS:-} -q -f "$home/pom.xml" -pl bench -am -DskipTests package dependency:build-classpath -Dmdep.outputFile="$classpath"
"${JAVA_HOME:+$JAVA_HOME/bin/}java" --enable-native-access=ALL-UNNAMED -cp "$home/bench/target/classes:$(cat "$classpath")" \
  dev.postern.bench.LedgerGrowth "$data/data" "${1:-1000000}"
