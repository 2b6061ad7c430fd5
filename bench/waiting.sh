#!/bin/sh
# Lets CALLS secret-bearing calls of ten agents wait for approval on one gateway, prints its resident memory before and then,
# approves all of them, and says how many ran, by the agents and by the ledger. Measures what there is once nothing has been added for a
# minute: an overloaded machine loses connections before they are heard. Needs a built checkout and Linux' /proc.
# Usage: bench/waiting.sh [CALLS]
set -eu
calls=${1:-10000}
agents=10
home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
POSTERN_DATA=$(mktemp -d)
export POSTERN_DATA
ulimit -n "$(ulimit -H -n)"
pid=
end() {
  [ -z "$pid" ] || { kill "$pid" 2>/dev/null && wait "$pid" || true; }
  rm -rf "$POSTERN_DATA"
}
trap end EXIT

"$home/postern" up --port 0 --json --approval-hold 3600 --approval-timeout 3600 >"$POSTERN_DATA/out" 2>"$POSTERN_DATA/err" &
pid=$!
while ! grep -q '"ready":true' "$POSTERN_DATA/out"; do
  kill -0 "$pid" 2>/dev/null || { cat "$POSTERN_DATA/err" >&2; exit 1; }
  sleep 0.1
done
url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$POSTERN_DATA/out")
printf 'a value that is long enough' | "$home/postern" secret add db >/dev/null
keys=
i=0
while [ $i -lt $agents ]; do
  keys="$keys $("$home/postern" agent add "bench$i" --json | sed -n 's/.*"key":"\([^"]*\)".*/\1/p')"
  i=$((i + 1))
done
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }
waiting() { "$home/postern" status --json | sed -n 's/.*"waiting":\([0-9]*\).*/\1/p'; }

before=$(memory)
# shellcheck disable=SC2086
"${JAVA_HOME:+$JAVA_HOME/bin/}java" "$home/bench/src/main/java/dev/postern/bench/WaitingCalls.java" \
  "$url" "$calls" $keys >"$POSTERN_DATA/client" &
client=$!
last=0
still=0
while now=$(waiting); [ "${now:-0}" -lt "$calls" ] && [ $still -lt 60 ]; do
  kill -0 $client 2>/dev/null || { cat "$POSTERN_DATA/client" >&2; exit 1; }
  if [ "$now" = "$last" ]; then still=$((still + 1)); else still=0; fi
  last=$now
  sleep 1
done
sleep 5
held=$(memory)
echo "waiting calls:                   $(waiting)"
echo "resident before, MiB:            $((before / 1024))"
echo "resident with them, MiB:         $((held / 1024))"
echo "a waiting call, KiB:             $(((held - before) / calls))"
"$home/postern" approvals --json | grep -o '"id":"[^"]*","agent"' | cut -d'"' -f4 | xargs -n 500 "$home/postern" approve >/dev/null
wait $client
cat "$POSTERN_DATA/client"
echo "resident at the end, MiB:        $(($(memory) / 1024))"
echo "executed by the ledger:          $("$home/postern" ledger export --disposition EXECUTED 2>/dev/null | grep -c .)"
"$home/postern" ledger export 2>/dev/null | grep -v '"disposition":"EXECUTED"' | sed 's/.*"disposition":/not executed: "disposition":/' || true
"$home/postern" ledger verify
