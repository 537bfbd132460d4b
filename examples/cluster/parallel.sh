#!/usr/bin/env bash
# parallel.sh DIR SHARDS: the formulas that `hexproof obligations ... --out DIR` wrote, asked by SHARDS processes of this machine
# at once with GNU parallel, and read together. A shard that was killed is run again by starting this again: what is answered
# is not asked again. Ends with the exit code of `hexproof merge`: 0 when every formula is shown, 5 when something is missing.
set -uo pipefail
[ $# -eq 2 ] || { echo "usage: parallel.sh DIR SHARDS" >&2; exit 1; }
parallel --halt never --jobs "$2" hexproof discharge --quiet --jobs 1 --shard "{}/$2" "$1" ::: $(seq 1 "$2") ||
  echo "some shards did not end well" >&2
exec hexproof merge "$1"
