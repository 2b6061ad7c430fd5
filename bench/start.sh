#!/bin/sh
# Prints how long a gateway takes from exec to its ready line and its resident memory then, and how long `connect` takes to
# answer its first message: the median of several starts. Needs nothing but a built checkout and Linux' /proc.
# Usage: bench/start.sh [RUNS]
set -eu
runs=${1:-9}
home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

now() { date +%s%N; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# Builds, records the class archive and makes the data directory, so that every measured start is a usual one.
start() {
  "$home/postern" up --data "$data" --port 0 --json >"$data/out" 2>"$data/err" &
  pid=$!
  while ! grep -q '"ready":true' "$data/out"; do
    kill -0 "$pid" 2>/dev/null || { cat "$data/err" >&2; exit 1; }
    sleep 0.005
  done
}
stop() {
  kill "$pid"
  wait "$pid" 2>/dev/null || true
}
start
key=$(sed -n 's/.*"key":"\([^"]*\)".*/\1/p' "$data/out")
stop

i=0
: >"$data/ready"; : >"$data/memory"; : >"$data/cpu"
while [ $i -lt "$runs" ]; do
  before=$(now)
  start
  echo $((($(now) - before) / 1000000)) >>"$data/ready"
  awk '{ print ($14 + $15) * 10 }' "/proc/$pid/stat" >>"$data/cpu"
  sleep 1
  awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$pid/status" >>"$data/memory"
  stop
  i=$((i + 1))
done
echo "up ready, ms (median of $runs):              $(median <"$data/ready")"
echo "  CPU until then, ms:                       $(median <"$data/cpu")"
echo "  resident a second later, MiB:             $(median <"$data/memory")"

start
i=0
: >"$data/answer"
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}'
while [ $i -lt "$runs" ]; do
  before=$(now)
  printf '%s\n' "$hello" | POSTERN_AGENT_KEY=$key "$home/postern" connect --data "$data" | head -n 1 >/dev/null
  echo $((($(now) - before) / 1000000)) >>"$data/answer"
  i=$((i + 1))
done
stop
echo "connect, start to first answer and exit, ms: $(median <"$data/answer")"
