#!/usr/bin/env bash
# certify.sh KERNELS OUT: certifies each line `PROGRAM SCHEDULE TARGET` of KERNELS, whatever became of the ones before, and looks
# at each certificate with hexproof-check. Leaves in OUT/NAME/ the certificate, report.json, report.html, results.sarif and
# junit.xml, and ends with the first exit code that is not 0. Proofs are kept in $HEXPROOF_CACHE (a file, or redis://HOST), and
# what became of a kernel that is proved in the folder $HEXPROOF_KEPT, where these are set: as long as program, schedule, target
# and hexproof are the same bytes, it is not certified again, and hexproof-check looks at its files.
set -uo pipefail
[ $# -eq 2 ] || { echo "usage: certify.sh KERNELS OUT" >&2; exit 1; }
kernels=$1 out=$2 kept=${HEXPROOF_KEPT:-} worst=0
options=(--quiet --no-run)
[ -z "${HEXPROOF_CACHE:-}" ] || options+=(--cache "$HEXPROOF_CACHE")
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--annotate github)
version=$(hexproof --version) || exit

# What a certificate is made of, as one digest.
inputs_of() { { sha256sum "$1" "$2" "$0"; echo "$3 $version"; } | sha256sum; }

# By links, where both are on one disk: who changes one changes both, and hexproof-check sees it.
copy() { cp -rl "$1" "$2" 2>/dev/null || cp -r "$1" "$2"; }

while read -r program schedule target; do
  [[ -z $program || $program == '#'* ]] && continue
  name=${program##*/}
  folder=$out/${name%.py}
  rm -rf "$folder"
  mkdir -p "$folder"
  before=${kept:+$(inputs_of "$program" "$schedule" "$target")}
  before=${before:+$kept/${before%% *}}
  if [ -n "$before" ] && [ -d "$before" ] && hexproof-check "$before/certificate" >/dev/null </dev/null; then
    copy "$before/." "$folder"
    touch "$before"
    echo "$program: exit code 0, as before"
    continue
  fi
  hexproof certify "$program" "$schedule" --target "$target" "${options[@]}" -o "$folder/certificate" \
    --json "$folder/report.json" --sarif "$folder/results.sarif" --junit "$folder/junit.xml" </dev/null
  code=$?
  if [ $code -eq 0 ]; then
    hexproof report "$folder/certificate" -o "$folder/report.html" </dev/null
    hexproof-check "$folder/certificate" --solver "cvc5 --lang=smt2" </dev/null || code=$?
  elif [ -e "$folder/report.json" ]; then
    hexproof report "$folder/report.json" -o "$folder/report.html" </dev/null
  fi
  if [ $code -eq 0 ] && [ -n "$before" ]; then
    rm -rf "$before" "$before.new"
    mkdir -p "$kept" && copy "$folder" "$before.new" && mv "$before.new" "$before"
  fi
  echo "$program: exit code $code"
  [ $worst -ne 0 ] || worst=$code
done <"$kernels"
# What nobody asked for in a month goes.
[ -z "$kept" ] || find "$kept" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} + 2>/dev/null
exit $worst
