#!/bin/sh
# Prints what the portal's first pages weigh, as sent, with their style and scripts, and how long the server takes from request
# to first byte: the median and the 95th of 100 over one connection. A person is signed in; 200 calls stand in the ledger.
# Needs curl and a built checkout.
# Usage: bench/pages.sh [REQUESTS]      POSTERN=COMMAND runs another build
set -eu
requests=${1:-100}
home=$(CDPATH='' cd -P -- "$(dirname -- "$0")/.." && pwd)
postern=${POSTERN:-$home/postern}
data=$(mktemp -d)
pid=
trap 'if [ -n "$pid" ]; then kill "$pid" 2>/dev/null || true; fi; rm -rf "$data"' EXIT

"$postern" up --data "$data/d" --port 0 --json >"$data/out" 2>"$data/err" &
pid=$!
while ! grep -q '"ready":true' "$data/out"; do
  kill -0 "$pid" 2>/dev/null || { cat "$data/err" >&2; exit 1; }
  sleep 0.05
done
member() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' "$data/out"; }
url=$(member url)
key=$(member key)

# Sign in as the operator, without a passphrase.
curl -s -o /dev/null -c "$data/jar" -d passphrase= -H "Origin: $url" "$(member sign_in)"

i=0
: >"$data/calls"
while [ $i -lt 200 ]; do
  printf 'next\nurl = "%s/api/tools/playground__echo"\nheader = "Authorization: Bearer %s"\nheader = "Content-Type: application/json"\ndata = "{\\"text\\":\\"call %s\\"}"\noutput = /dev/null\n' "$url" "$key" "$i" >>"$data/calls"
  i=$((i + 1))
done
sed -i '1d' "$data/calls"
curl -s -K "$data/calls"

printf '%-12s %9s %9s %9s %9s %9s\n' page 'page, B' 'all, B' 'zipped, B' 'ms' '95th, ms'
for page in /sign-in / /approvals /vault /ledger /policy; do
  jar="$data/jar"
  [ "$page" = /sign-in ] && jar=/dev/null
  curl -s -b "$jar" -H 'Accept: text/html' "$url$page" >"$data/page"
  bytes=$(wc -c <"$data/page")
  cat "$data/page" >"$data/all"
  for asset in $(grep -o '/assets/[^"]*' "$data/page" | sort -u); do
    curl -s "$url$asset" >>"$data/all"
  done
  all=$(wc -c <"$data/all")
  zipped=$(gzip -9 <"$data/all" | wc -c)
  i=0
  set --
  while [ $i -lt "$requests" ]; do
    set -- "$@" -o /dev/null "$url$page"
    i=$((i + 1))
  done
  curl -s -b "$jar" -H 'Accept: text/html' -w '%{time_pretransfer} %{time_starttransfer}\n' "$@" \
    | awk '{ print ($2 - $1) * 1000 }' | sort -n >"$data/times"
  awk -v page="$page" -v bytes="$bytes" -v all="$all" -v zipped="$zipped" '
    { v[NR] = $1 }
    END { printf "%-12s %9d %9d %9d %9.1f %9.1f\n", page, bytes, all, zipped, v[int((NR + 1) / 2)], v[int(NR * 0.95)] }' "$data/times"
done
